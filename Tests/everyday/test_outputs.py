#!/usr/bin/env python3
"""What a command reads it never writes, and what an output's name leads to says how it is written.

Each option that names an output, against each that names an input, under each name of the same file;
and against each kind of thing that a name can lead to. Needs root and a mount namespace of its own."""

import os
import socket
import stat
import sys
import threading

from room import ITEM, Room, Tally, alone, tail

OPEN = ["vault-open"]
PUT = ["vault-put", "put.{item}"]

# Output, command, the option that names the output, and what it reads: option and file. IN is put in
# place of the input's name; without it the option and the name are added.
OUTPUTS = {
    "open": (["vault-open", "-o", "OUT"], "--output", [
        ("FILE", ["-i", "k", "IN"], "o"), ("--identity", ["-i", "IN", "o"], "k"),
        ("--key-file", ["--key-file", "IN", "o"], "kek"),
        ("--space", ["--space", "IN", "--password-file", "password", "o"], "space"),
        ("--password-file", ["--space", "space", "--password-file", "IN", "o"], "password"),
        ("--access-key-file", ["--space", "access.space", "--access-key-file", "IN", "o"],
         "access.key"),
        ("--expect", ["-i", "k", "--expect", "IN", "o"], "object.receipt"),
        ("--envelope", ["-i", "k", "--envelope", "IN", "o"], "receipt"),
        ("standard input", ["-i", "k", "<"], "o"),
        ("--password-fd", ["--space", "space", "--password-fd", "FD", "o"], "password"),
        ("VAULT_PASSWORD_FILE", ["--space", "space", "o", "VARIABLE"], "password")]),
    "open --range": (["vault-open", "--range", "0-9", "-o", "OUT"], "--output", [
        ("FILE", ["-i", "k", "IN"], "o"), ("--identity", ["-i", "IN", "o"], "k")]),
    "space new": (["vault-key", "space", "new", "-o", "OUT"], "--output", [
        ("--password-file", ["--password-file", "IN"], "password"),
        ("--access-key-file", ["--access-key-file", "IN"], "access.key"),
        ("--password-fd", ["--password-fd", "FD"], "password"),
        ("VAULT_PASSWORD_FILE", ["VARIABLE"], "password")]),
    "share": (["vault-key", "share", "-o", "OUT"], "--output", [
        ("--identity", ["-i", "IN", "--add", "KEY", "o"], "k"),
        ("--key-file", ["--key-file", "IN", "--add", "KEY", "o"], "kek"),
        ("FILE", ["-i", "k", "--add", "KEY", "IN"], "o"),
        ("standard input", ["-i", "k", "--add", "KEY", "<"], "o"),
        ("--expect", ["-i", "k", "--add", "KEY", "--expect", "IN", "o"], "receipt"),
        ("--space", ["--space", "IN", "--password-file", "password", "--add", "KEY", "o"], "space")]),
    "rewrap": (["vault-key", "rewrap", "-o", "OUT"], "--output", [
        ("--identity", ["-i", "IN", "-R", "others.txt", "receipt"], "k"),
        ("--recipients-file", ["-i", "k", "-R", "IN", "receipt"], "others.txt"),
        ("--to-key-file", ["-i", "k", "--to-key-file", "IN", "receipt"], "new.kek"),
        ("FILE", ["-i", "k", "-R", "others.txt", "IN"], "receipt"),
        ("standard input", ["-i", "k", "-R", "others.txt", "<"], "receipt")]),
    "space passwd": (["vault-key", "space", "passwd", "OUT"], "FILE", [
        ("--password-file", ["--password-file", "IN", "--new-password-file", "new-password"],
         "password"),
        ("--new-password-file", ["--password-file", "password", "--new-password-file", "IN"],
         "new-password")]),
    "journal": ([*PUT, "--journal", "OUT"], "--journal", [("standard input", ["<"], "parts")]),
    "state": ([*PUT, "--state", "OUT"], "--state", [("standard input", ["<"], "parts")]),
    "hash >>": (["vault-hash", ">>"], "standard output", [
        ("FILE", ["IN"], "data"), ("standard input", ["<"], "data")]),
    "seal >>": (["vault-seal", ">>"], "standard output", [
        ("FILE", ["-R", "team.txt", "IN"], "plain"), ("--recipients-file", ["-R", "IN", "plain"],
                                                      "team.txt")]),
    "chunk >>": (["vault-chunk", ">>"], "standard output", [("FILE", ["IN"], "o")]),
    "open >>": (["vault-open", ">>"], "standard output", [
        ("FILE", ["-i", "k", "IN"], "o"), ("--identity", ["-i", "IN", "o"], "k")]),
}
WAYS = ["same", "./same", "hard link", "symlink", "symlink to a symlink", "absolute",
        "/proc/self/fd/N", "/dev/fd/N"]


def name_of(place, way, file):
    """Another name of the file, and the descriptor that must be open for it."""
    path = place.path
    for name in ("way", "way2"):
        place.remove(name)
    if way == "hard link":
        os.link(path / file, path / "way")
    elif way == "symlink":
        os.symlink(file, path / "way")
    elif way == "symlink to a symlink":
        os.symlink(file, path / "way2")
        os.symlink(path / "way2", path / "way")
    elif way.endswith("N"):
        fd = os.open(path / file, os.O_RDWR)
        return way.replace("N", str(fd)), fd
    return {"same": file, "./same": "./" + file, "absolute": str(path / file)}.get(way, "way"), None


def refusals(place, tally):
    for title, (command, output, inputs) in OUTPUTS.items():
        for option, words, file in inputs:
            for way in WAYS:
                name, fd = name_of(place, way, file)
                keep = {fd} - {None}
                more, env = {}, {}
                line = [name if word == "OUT" else word for word in command] + words
                line = [file if word == "IN" else word for word in line]
                line = [place.recipient if word == "KEY" else word for word in line]
                if "<" in line:
                    line.remove("<")
                    more["stdin"] = open(place.path / file, "rb")
                if ">>" in line:
                    line.remove(">>")
                    more["stdout"] = open(place.path / name if fd is None else name, "ab")
                if "FD" in line:
                    reader = os.open(place.path / file, os.O_RDONLY)
                    keep.add(reader)
                    line = [str(reader) if word == "FD" else word for word in line]
                if "VARIABLE" in line:
                    line.remove("VARIABLE")
                    env["VAULT_PASSWORD_FILE"] = file
                before = place.snapshot()
                run = place.status(*line, env=env, pass_fds=keep, **more)
                error = run.stderr.decode()
                changed = place.changed(before)
                named = all(word in error for word in (output, option))
                tally.hold(f"{title}: {option} as {way}", run.returncode == 64 and named
                           and not changed, f"{tail(run)}; changed: {changed}")
                for number in keep:
                    os.close(number)
                for handle in more.values():
                    handle.close()
                repair(place)


def repair(place):
    for name, data in place.good.items():
        if not (place.path / name).is_file() or place.read(name) != data:
            place.remove(name)
            place.write(name, data)


# What writes into each kind: command, whether it may replace, and whether the bytes are good.
WRITERS = {
    "open": (["vault-open", "-i", "k", "o", "-o"], True, lambda place, got: got == place.data),
    "key new": (["vault-key", "new", "-o"], False, lambda place, got: b"AGE-SECRET-KEY-1" in got),
    "space new": (["vault-key", "space", "new", "--access-key-file", "access.key", "-o"], False,
                  lambda place, got: got.startswith(b"vault-space/1")),
    "share": (["vault-key", "share", "--receipts", "-i", "k", "--add", "KEY", "receipt", "-o"], False,
              lambda place, got: got.startswith(b"{") and ITEM.encode() in got),
    "rewrap": (["vault-key", "rewrap", "-i", "k", "-R", "others.txt", "receipt", "-o"], False,
               lambda place, got: got.startswith(b"{") and ITEM.encode() in got),
}


class Reader:
    """Reads a FIFO or a pipe to its end, in a thread."""

    def __init__(self, open_it):
        self.got = b""
        self.thread = threading.Thread(target=self.read, args=(open_it,), daemon=True)
        self.thread.start()

    def read(self, open_it):
        with open_it() as source:
            self.got = source.read()

    def bytes(self):
        self.thread.join(10)
        return self.got


def kinds(place, tally):
    for title, (command, replaces, is_good) in WRITERS.items():
        command = [place.recipient if word == "KEY" else word for word in command]
        for link in (None, "symlink", "symlink to a symlink"):
            for kind, make in KINDS.items():
                for name in ("target", "link", "link2"):
                    place.remove(name)
                name = "target"
                judge = make(place)
                if link:
                    os.symlink("target", place.path / "link")
                    name = "link"
                if link == "symlink to a symlink":
                    os.symlink("link", place.path / "link2")
                    name = "link2"
                links = [look_link(place, each) for each in ("link", "link2")]
                before = place.snapshot()
                run = place.status(*command, name)
                ok, why = judge(run, replaces, lambda got: is_good(place, got), before)
                ok = ok and links == [look_link(place, each) for each in ("link", "link2")]
                tally.hold(f"{title} -o {kind}{' by a ' + link if link else ''}", ok,
                           f"{tail(run)}; {why}")


def look_link(place, name):
    path = place.path / name
    return os.readlink(path) if path.is_symlink() else None


def target(place):
    return place.path / "target"


def regular(place):
    target(place).write_bytes(b"old")
    os.chown(target(place), 1, 4)
    os.chmod(target(place), 0o640)

    def judge(run, replaces, is_good, before):
        status = target(place).stat()
        kept = (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1, 4, 0o640)
        if not replaces:
            return run.returncode == 73 and not place.changed(before), "it must stay"
        return run.returncode == 0 and kept and is_good(target(place).read_bytes()), f"kept: {kept}"
    return judge


def missing(place):
    def judge(run, replaces, is_good, before):
        if run.returncode or not target(place).exists():
            return False, "it was not made"
        mode = target(place).stat().st_mode & 0o7777
        return mode == 0o600 and is_good(target(place).read_bytes()), f"mode {mode:o}"
    return judge


def refused(make):
    def setup(place):
        make(place)
        return lambda run, replaces, is_good, before: (
            run.returncode == 73 and not place.changed(before), f"changed {place.changed(before)}")
    return setup


def bind(place):
    with socket.socket(socket.AF_UNIX) as end:
        here = os.getcwd()
        os.chdir(place.path)
        end.bind("target")
        os.chdir(here)


def device(place):
    os.mknod(target(place), stat.S_IFCHR | 0o666, os.makedev(1, 3))
    return lambda run, replaces, is_good, before: (
        run.returncode == 0 and not place.changed(before), f"changed {place.changed(before)}")


def fifo(place):
    os.mkfifo(target(place))
    reader = Reader(lambda: open(target(place), "rb"))

    def judge(run, replaces, is_good, before):
        if run.returncode or not target(place).is_fifo():
            if target(place).is_fifo():
                os.close(os.open(target(place), os.O_RDWR | os.O_NONBLOCK))
            return False, "not written through"
        return is_good(reader.bytes()), "the bytes"
    return judge


KINDS = {
    "a regular file": regular, "nothing": missing, "a device": device, "a FIFO": fifo,
    "a directory": refused(lambda place: target(place).mkdir()),
    "a socket": refused(bind),
    "a link to itself": refused(lambda place: os.symlink("target", target(place))),
    "a name below a file": refused(lambda place: os.symlink("data/x", target(place))),
    "a name that is too long": refused(lambda place: os.symlink("n" * 256, target(place))),
    "a missing directory": refused(lambda place: os.symlink("no/where", target(place))),
}


def streams(place, tally):
    """`-`, /dev/stdout and /dev/fd/N are the descriptor, also where it is a regular file."""
    for title, (command, _, is_good) in WRITERS.items():
        command = [place.recipient if word == "KEY" else word for word in command]
        for name in ("target", "link", "link2"):
            place.remove(name)
        os.symlink("/proc/self/fd/1", place.path / "to-stdout")
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "to-stdout"):
            before = place.snapshot()
            run = place.status(*command, name)
            tally.hold(f"{title} -o {name} into a pipe", run.returncode == 0 and is_good(
                place, run.stdout) and not place.changed(before), tail(run))
        with open(target(place), "wb") as file:
            file.write(b"head")
            file.flush()
            run = place.status(*command, "/dev/stdout", stdout=file)
        got = target(place).read_bytes()
        tally.hold(f"{title} -o /dev/stdout into a file", run.returncode == 0
                   and got.startswith(b"head") and is_good(place, got[4:]), tail(run))
        read, write = os.pipe()
        reader = Reader(lambda end=read: os.fdopen(end, "rb"))
        run = place.status(*command, f"/dev/fd/{write}", pass_fds=[write])
        os.close(write)
        tally.hold(f"{title} -o /dev/fd/N", run.returncode == 0 and is_good(place, reader.bytes()),
                   tail(run))
        for name in ("target", "to-stdout"):
            place.remove(name)


def dashes(place, tally):
    """`-` is standard input wherever a file is read, and two readers of it are 64."""
    commands = {
        "--identity": (["vault-open", "-i", "-", "o"], "k"),
        "--key-file": (["vault-open", "--key-file", "-", "o"], "kek"),
        "--password-file": (["vault-key", "space", "capture", "--password-file", "-", "space"],
                            "password"),
        "--access-key-file": (["vault-open", "--space", "access.space", "--access-key-file", "-",
                               "o"], "access.key"),
        "--space": (["vault-open", "--space", "-", "--access-key-file", "access.key", "o"],
                    "access.space"),
        "--recipients-file": (["vault-seal", "-R", "-", "plain"], "team.txt"),
        "--expect": (["vault-open", "-i", "k", "--expect", "-", "o"], "object.receipt"),
        "FILE": (["vault-key", "space", "inspect", "-"], "space"),
    }
    for option, (command, file) in commands.items():
        run = place.status(*command, data=place.read(file))
        tally.hold(f"- for {option}", run.returncode == 0, tail(run))
        if command[0] == "vault-key":
            continue
        run = place.status(*["-" if word in ("o", "plain", "space") else word for word in command],
                           data=place.read(file))
        tally.hold(f"- for {option} and the data", run.returncode == 64
                   and b"standard input" in run.stderr, tail(run))


def main():
    alone(__file__)
    tally = Tally("outputs")
    place = Room()
    try:
        place.good = {path.name: path.read_bytes() for path in place.path.iterdir()
                      if path.is_file()}
        place.recipient = place.read("others.txt").decode().strip()
        for checks in (refusals, kinds, streams, dashes):
            checks(place, tally)
    finally:
        place.close()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
