#!/usr/bin/env python3
"""Slips of every day that must not cost anything: changes of a space at once, rights that stay, inputs that
change, clocks that are wrong, words of variables, what is not synced. Needs root, strace and faketime."""

import os
import shutil
import subprocess
import sys
import time

import work
from room import BIN, ITEM, Room, Tally, alone, tail

# strace keeps a call from the kernel by a number that the tools' own filter ends them for.
STRACE = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=seccomp:error=EINVAL", "-e"]


def at_once(place, tally):
    """Of several changes of a space at once one wins, the others are 75 and change nothing."""
    for name in ("s", "by-link"):
        for turn in range(4):
            work.copy_space(place)
            place.remove("by-link")
            os.symlink("s", place.path / "by-link")
            words = [f"word-{n}" for n in range(6)]
            for word in words:
                place.write(word, word.encode())
            runs = [subprocess.Popen(
                [BIN / "vault-key", "space", "passwd", "--password-file", "password",
                 "--new-password-file", word, name], cwd=place.path, env=place.env,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for word in words]
            said = [run.communicate()[1] for run in runs]
            codes = [run.returncode for run in runs]
            # One that begins after the winner has ended finds the old password wrong.
            fair = codes.count(0) == 1 and set(codes) <= {0, 75, 77}
            opened = [code == 0 for code in work.passwords_open(place, *words)]
            tally.hold(f"changes at once of {name}, turn {turn}", fair
                       and opened == [code == 0 for code in codes]
                       and (place.path / "by-link").is_symlink()
                       and all(b"another change of the space" in text
                               for code, text in zip(codes, said) if code == 75), f"{codes} {opened}")
            for word in words:
                place.remove(word)


def overtaken(place, tally):
    """What heeds no lock is noticed: another file under the name, a write, a removal, while we wait."""
    def replace():
        place.write("s2", place.read("space"))
        os.rename(place.path / "s2", place.path / "s")

    def rewrite():
        place.write("s", place.read("access.space"))

    for title, change in {"replaced": replace, "written": rewrite,
                          "removed": lambda: place.remove("s")}.items():
        work.copy_space(place)
        read, write = os.pipe()
        run = subprocess.Popen(
            [BIN / "vault-key", "space", "passwd", "--password-fd", str(read),
             "--new-password-file", "new-password", "s"], cwd=place.path, env=place.env,
            pass_fds=[read], stderr=subprocess.PIPE)
        os.close(read)
        wait_for_read(run.pid)
        change()
        after = place.snapshot()
        os.write(write, place.read("password"))
        os.close(write)
        error = run.communicate()[1]
        tally.hold(f"a space that is {title} meanwhile", run.returncode == 75
                   and b"another change of the space" in error and not place.changed(after),
                   f"{run.returncode} {error}")


def wait_for_read(pid):
    """Until the process sleeps in read(2), as /proc tells."""
    for _ in range(2000):
        try:
            with open(f"/proc/{pid}/syscall", encoding="ascii") as file:
                if file.read().split()[0] == "0":
                    return
        except (OSError, IndexError):
            pass
        time.sleep(0.005)


def rights(place, tally):
    """What takes a file's place has its owner, group, mode and access list, and never more."""
    for mode in (0o600, 0o640, 0o660, 0o644, 0o440, 0o4755):
        for what, command in {"space passwd": work.WORK["space passwd"].command,
                              "open -o": ["vault-open", "-i", "k", "-o", "s", "o"]}.items():
            work.copy_access_space(place)
            os.chown(place.path / "s", 1, 4)
            os.chmod(place.path / "s", mode)
            run = place.status(*command, "--insecure-permissions")
            status = (place.path / "s").stat()
            tally.hold(f"{what} keeps {mode:o}", run.returncode == 0 and
                       (status.st_uid, status.st_gid, status.st_mode & 0o7777)
                       == (1, 4, mode & 0o777), f"{tail(run)} {status.st_mode:o}")
    work.copy_space(place)
    acl = bytes.fromhex("0200000001000600ffffffff0200040002000000" "04000000ffffffff10000400ffffffff"
                        "20000000ffffffff")
    os.setxattr(place.path / "s", "system.posix_acl_access", acl)
    run = place.status("vault-open", "-i", "k", "-o", "s", "o")
    names = os.listxattr(place.path / "s")
    tally.hold("open -o keeps the access list", run.returncode == 0 and "system.posix_acl_access" in names
               and os.getxattr(place.path / "s", "system.posix_acl_access") == acl, tail(run))
    # A user who is not in the group cannot give it to the new file: then the group has no right.
    work.copy_space(place)
    folder = place.path / "theirs"
    folder.mkdir()
    for name in ("k", "o"):
        shutil.copy(place.path / name, folder / name)
    (folder / "out").write_bytes(b"old")
    for path in (folder, *folder.iterdir()):
        os.chown(path, 65534, 65534)
    os.chown(folder / "out", 65534, 4)
    os.chmod(folder / "out", 0o664)
    run = place.status("vault-open", "-i", "k", "-o", "out", "o", cwd=folder, user=65534,
                       group=65534, extra_groups=[])
    status = (folder / "out").stat()
    tally.hold("a group that may not be kept gets no right", run.returncode == 0
               and (status.st_gid, status.st_mode & 0o777) == (65534, 0o604), tail(run))
    # A stranger's link in a directory like /tmp.
    shared = place.path / "shared"
    shared.mkdir()
    os.chmod(shared, 0o1777)
    os.symlink(place.path / "planted", shared / "link")
    os.lchown(shared / "link", 65534, 65534)
    for command in (["vault-key", "new", "-o"], ["vault-open", "-i", "k", "o", "-o"]):
        run = place.status(*command, str(shared / "link"))
        tally.hold(f"{command[0]}: a stranger's link in a shared directory", run.returncode == 73
                   and not (place.path / "planted").exists(), tail(run))
    for name in ("shared", "theirs"):
        place.remove(name)


class Slow:
    """A command whose output nobody reads for a while, so that it stays in the middle of its input."""

    def __init__(self, place, command, stdin=None):
        self.run = subprocess.Popen([BIN / command[0], *command[1:]], cwd=place.path, env=place.env,
                                    stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.head = os.read(self.run.stdout.fileno(), 1)

    def end(self):
        out, error = self.run.communicate(timeout=60)
        return self.run.returncode, self.head + out, error


def changes(place, tally):
    """An input that is not as it was ends with 65 and says so; nothing is committed of it."""
    big = place.data * 80  # 12 MB, more than pipes and buffers hold
    sealed = place.run("vault-seal", "-R", "team.txt", data=place.run("vault-hash", data=big))
    inputs = {"big": big, "big.plain": place.run("vault-hash", data=big), "big.vault": sealed}

    def rewrite(path):
        with open(path, "r+b") as file:
            file.write(b"x")

    def put_back(path):
        status = path.stat()
        with open(path, "r+b") as file:
            file.seek(len(big) - 5)
            file.write(b"other")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def grow(path):
        with open(path, "ab") as file:
            file.write(b"more")

    ways = {"is rewritten at its size": rewrite, "gets its time back": put_back, "grows": grow,
            "is cut": lambda path: os.truncate(path, 9_000_000),
            "gets its rights changed": lambda path: os.chmod(path, 0o400),
            "gets a time of its own": os.utime, "is only read": lambda path: path.read_bytes()}
    commands = {"hash": (["vault-hash", "big"], False), "hash stdin": (["vault-hash"], True),
                "hash --framed": (["vault-hash", "--framed", "big.plain"], False),
                "seal": (["vault-seal", "-R", "team.txt", "big.plain"], False),
                "seal --raw": (["vault-seal", "--raw", "-R", "team.txt", "big"], False),
                "seal stdin": (["vault-seal", "-R", "team.txt"], True),
                "chunk": (["vault-chunk", "big.vault"], False),
                "open": (["vault-open", "-i", "k", "big.vault"], False),
                "open --framed": (["vault-open", "--framed", "-i", "k", "big.vault"], False)}
    reads = {"hash stdin": "big", "seal stdin": "big.plain"}
    for name, (command, by_stdin) in commands.items():
        for way, change in ways.items():
            for allowed in (False, True):
                file = reads.get(name) or command[-1]
                place.remove(file)
                place.write(file, inputs[file])
                stdin = open(place.path / file, "rb") if by_stdin else None
                more = ["--allow-changes"] if allowed else []
                slow = Slow(place, [command[0], *more, *command[1:]], stdin)
                change(place.path / file)
                code, out, error = slow.end()
                if way == "is only read" or (allowed and way.startswith("gets")
                                             and way != "gets its time back"):
                    fine = code == 0
                elif allowed:
                    fine = b"changed while it was read" not in error
                else:
                    # A stage after it sees no end: nothing of it is committed.
                    after = {"vault-hash": ["vault-seal", "-R", "team.txt"],
                             "vault-seal": ["vault-chunk"], "vault-chunk": ["vault-put", "never"],
                             "vault-open": ["vault-seal", "-R", "team.txt"]}[command[0]]
                    fine = code == 65 and b"changed while it was read" in error
                    if "open" != name:
                        fine = fine and place.status(*after, data=out).returncode == 66
                tally.hold(f"{name}: an input that {way}{', allowed' if allowed else ''}", fine,
                           f"{code} {error[:200]}")
                if stdin:
                    stdin.close()
    sums(place, tally, inputs, ways)


def sums(place, tally, inputs, ways):
    """--print and --check write nothing before a file's end, so strace holds them back in it."""
    place.remove("big")
    place.write("big", inputs["big"])
    place.write("sums-of-big", place.run("vault-hash", "--print", "big"))
    wait = ["strace", "-qq", "-o", "/dev/null", "-e", "trace=read",
            "-e", "inject=read:delay_enter=400000:when=12"]
    for words in (["--print", "big"], ["--check", "sums-of-big"], ["--print", "-"]):
        for way in ("is rewritten at its size", "grows", "is only read"):
            place.remove("big")
            place.write("big", inputs["big"])
            run = subprocess.Popen(
                [*wait, BIN / "vault-hash", *words], cwd=place.path, env=place.env,
                stdin=open(place.path / "big", "rb"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.2)
            ways[way](place.path / "big")
            out, error = run.communicate(timeout=60)
            fine = run.returncode == (0 if way == "is only read" else 65)
            tally.hold(f"hash {' '.join(words)}: an input that {way}", fine, f"{out} {error}")


def clocks(place, tally):
    """Whatever is sealed opens: a clock whose time no reader takes is refused before a byte leaves."""
    moments = {"@0": 0, "1970-01-01 00:00:01": 0, "2026-12-01 00:00:00": 0,
               "9999-12-31 23:59:50": 0, "10000-01-01 00:00:00": 78, "@-1": 78, "@-99999999999": 78,
               "12345-06-07 08:09:10": 78, "@253402300900": 78, "@99999999999999": 78}
    for moment, code in moments.items():
        for raw in ([], ["--raw"]):
            seconds = seconds_of(moment)
            wrap = ["env", f"LD_PRELOAD={faketime()}", f"FAKETIME={offset(seconds)}",
                    "FAKETIME_DONT_FAKE_MONOTONIC=1"]
            run = place.status("vault-seal", "-R", "team.txt", *raw, "plain", wrap=wrap)
            if code:
                fine = run.returncode == code and not run.stdout and b"clock" in run.stderr
            else:
                check = place.status("vault-open", "-i", "k", data=run.stdout)
                fine = run.returncode == 0 and check.returncode == 0
            tally.hold(f"seal {' '.join(raw)} at {moment}", fine, tail(run))


def faketime():
    found = subprocess.run(["sh", "-c", "ls /usr/lib/*/faketime/libfaketime.so.1"],
                           capture_output=True, text=True, check=True)
    return found.stdout.split()[0]


def seconds_of(moment):
    if moment.startswith("@"):
        return int(moment[1:])
    date, clock = moment.split()
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, clock.split(":"))
    return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second


def days(year, month, day):
    """Since 1970, in the Gregorian calendar."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def offset(seconds):
    """A shift, since faketime reads no date past 9999."""
    shift = seconds - int(time.time())
    return f"{'+' if shift >= 0 else ''}{shift}"


def words(place, tally):
    """The words of VAULT_REQUIRE_SANDBOX, with and without a sandbox; an unknown one is refused."""
    yes, no = ("1", "yes", "true", "on", "YES", "On"), ("", "0", "no", "false", "off", "FALSE")
    broken = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=seccomp:error=EINVAL"]
    for tool, *command in (["vault-hash", "data"], ["vault-open", "-i", "k", "o"], ["vault-get", "o"],
                           ["vault-key", "new"], ["vault-chunk", "o"],
                           ["vault-seal", "-R", "team.txt", "plain"],
                           ["vault-hash", "--print", "data"], ["vault-hash", "--check", "sums"]):
        for word in (*yes, *no, "2", "ja", "enabled", " 1"):
            known = word in yes + no
            for wrap in ([], broken):
                for line in (command, ["--version", "--verbose"]):
                    run = place.status(tool, *line, wrap=wrap, env={"VAULT_REQUIRE_SANDBOX": word})
                    code = 78 if not known or (word in yes and wrap) else 0
                    tally.hold(f"{tool} {line[0]} with {word!r}{' without a filter' if wrap else ''}",
                               run.returncode == code, tail(run))


def passwords(place, tally):
    """A password that comes by a descriptor, whatever names it."""
    for title, name in {"a number": None, "/dev/fd/N": "/dev/fd/", "/proc": "/proc/self/fd/"}.items():
        for source in ("file", "pipe"):
            if source == "pipe":
                number, end = os.pipe()
                os.write(end, place.read("password"))
                os.close(end)
            else:
                number = os.open(place.path / "password", os.O_RDONLY)
            command = ["vault-key", "space", "capture", "space"]
            env = {"VAULT_PASSWORD_FILE": f"{name}{number}"} if name else {}
            if not name:
                command += ["--password-fd", str(number)]
            run = place.status(*command, env=env, pass_fds=[number])
            os.close(number)
            tally.hold(f"a password from a {source} by {title}", run.returncode == 0, tail(run))
    os.symlink("/proc/self/fd/0", place.path / "way")
    for name in ("/dev/stdin", "-", "way"):
        run = place.status("vault-key", "space", "capture", "space", data=place.read("password"),
                           env={"VAULT_PASSWORD_FILE": name})
        tally.hold(f"VAULT_PASSWORD_FILE={name}", run.returncode == 0, tail(run))
        run = place.status("vault-open", "--space", "access.space", data=place.read("o"),
                           env={"VAULT_PASSWORD_FILE": name})
        tally.hold(f"VAULT_PASSWORD_FILE={name} and the data", run.returncode == 64, tail(run))
    place.remove("way")


def unsynced(place, tally):
    """A name that is there and may not last is said, with 74; a file that is not there leaves nothing."""
    for name in ("key new -o", "space new", "open -o", "space passwd"):
        row = work.WORK[name]
        for when, there in ((1, False), (2, True)):
            row.prepare(place)
            before = place.snapshot()
            run = work.run(place, row, prepared=True,
                           wrap=[*STRACE, f"inject=fsync:error=EIO:when={when}"])
            changed = place.changed(before)
            said = b"is written whole, but may not survive a power cut" in run.stderr
            fine = run.returncode == 74 and said == there
            fine = fine and (row.judge(place, run.stdout) if there else not changed)
            tally.hold(f"{name}: sync {when} fails", fine, f"{changed} {tail(run)}")


def reasons(place, tally):
    """The system's reason is that of the call that failed, and a hint can be followed."""
    folder = place.path / "mounted"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    shutil.copy(place.path / "k", folder / "k")
    os.chmod(folder / "k", 0o444)
    run = place.status("vault-open", "-i", "mounted/k", "o")
    tally.hold("a key that others may read: chmod", run.returncode == 78
               and b"hint: chmod 600" in run.stderr, tail(run))
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    run = place.status("vault-open", "-i", "mounted/k", "o")
    tally.hold("a key on a read-only mount: no chmod", run.returncode == 78
               and b"chmod" not in run.stderr and b"0400" in run.stderr, tail(run))
    run = place.status("vault-open", "-i", "k", "-o", "mounted/out", "o")
    tally.hold("a read-only file system", run.returncode == 73
               and b"read-only file system" in run.stderr, tail(run))
    subprocess.run(["umount", folder], check=True)
    for name, code, text in (("data/x", 73, b"not a directory"), ("no/x", 73, b"no such file"),
                             ("n" * 256, 73, b"file name too long"), (".", 73, b"is a directory")):
        run = place.status("vault-open", "-i", "k", "-o", name, "o")
        tally.hold(f"-o {name[:8]}", run.returncode == code and text in run.stderr, tail(run))
    for error, call, code, text in (("EMFILE", "openat", (74, 78), b"too many open files"),
                                    ("ENOSPC", "linkat", (74,), b"no space left"),
                                    ("EIO", "write", (74,), b"input/output error")):
        when = {"openat": "7+", "linkat": "1+", "write": "1"}[call]
        run = place.status("vault-open", "-i", "k", "-o", "reason", "o",
                           wrap=[*STRACE, f"inject={call}:error={error}:when={when}"])
        tally.hold(f"{error} of {call}", run.returncode in code and text in run.stderr, tail(run))
        place.remove("reason")


def main():
    alone(__file__)
    tally = Tally("slips")
    place = Room()
    try:
        work.furnish(place)
        for checks in (at_once, overtaken, rights, changes, clocks, words, passwords, unsynced,
                       reasons):
            before = tally.passed, tally.failed
            checks(place, tally)
            print(f"{checks.__name__}: {tally.passed - before[0]} passed, "
                  f"{tally.failed - before[1]} failed", flush=True)
    finally:
        place.close()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
