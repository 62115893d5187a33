"""test_places.py [WORD…]: where vault-put stores and what it leaves alone; what vault-get takes."""

import json
import os
import pathlib
import resource
import stat
import subprocess
import sys
import threading

from room import MIB, Room, clean_environment, equal, put, run_all, tool

ROOT_NEEDED = "skipped: root is missing"


def run(*command, data=b"", cwd=None, env=None, before=None, stdin=None):
    given = {"stdin": stdin} if stdin else {"input": data}
    done = subprocess.run(command, capture_output=True, cwd=cwd, env=env or clean_environment(),
                          preexec_fn=before, check=False, timeout=120, **given)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def identity(path):
    found = os.lstat(path)
    return stat.S_IFMT(found.st_mode), found.st_ino


def files(where):
    return sorted(str(p.relative_to(where)) for p in where.rglob("*"))


class Tests:
    def __init__(self, room):
        self.room = room
        self.object, self.parts = room.sealed(10)

    def put(self, *arguments, cwd, parts=None):
        return put(parts or self.parts, *arguments, env=clean_environment(), cwd=cwd)

    # ---- destinations that are meant

    SLIPS = ["s3:/b/k", "s3:b/k", "s3//b/k", "S3://b/k", "s3 ://b/k", " s3://b/k", "s3;//b/k", "s3:\\b\\k",
             "gs://b/k", "minio://b/k", "az://b/k", "http:/h/k", "http://h/k", "HTTPS://h/k", "ftp://h/k",
             "file//x", "file:x", "x:/y", "DEST=s3://b/k", "a/s3://b/k"]

    def test_a_slipped_address_is_refused_and_makes_nothing(self):
        for slip in self.SLIPS:
            where = self.room.directory()
            for options in ((), ("--make-directories",), ("--overwrite",)):
                done = self.put(*options, slip, cwd=where)
                equal([done.status, files(where)], [64, []], f"{slip} {done.err}")
            status, _, said = run("vault-get", slip, cwd=where)
            equal(status, 64, f"vault-get {slip}: {said}")
        print(f"  {len(self.SLIPS)} slips")

    def test_a_slip_in_a_row_is_the_rows_own_fault(self):
        where = self.room.directory()
        (where / "good").write_bytes(self.object)
        for slip in self.SLIPS:
            if slip.lower().startswith("http") and "://" in slip:
                continue  # a row may name a URL
            rows = "".join(json.dumps({"source": s}) + "\n" for s in (slip, "good")).encode()
            status, out, said = run("vault-get", "--rows", "-", data=rows, cwd=where)
            equal([status, "line 1: " in said, "line 2: " in said], [65, True, False], f"{slip} {said}")
            equal(self.object[24:] in out, True, f"{slip}: the other row")
            rows = json.dumps({"source": slip, "item": "0f8fad5b-d9cb-469f-a165-70867728950e"})
            status, out, _ = run("vault-drop", "--rows", "-", data=rows.encode() + b"\n", cwd=where)
            answer = json.loads(out)
            equal([answer["status"], answer["reason"]], ["kept", "bad-row"], slip)

    def test_a_path_with_a_colon_is_a_path(self):
        where = self.room.directory()
        for name in ("a:b", "2026-01-01T10:00", "./s3:x", "./s3", "host:x"):
            equal(self.put(name, cwd=where).status, 0, name)
        (where / "s3:").mkdir()
        equal(self.put("./s3:/b", cwd=where).status, 0)

    def test_a_directory_that_dest_names_is_never_made_unasked(self):
        for destination in ("store/{item}", "store/x", "a/b/{item}", "store/sub/{target}", "store/x-{item}/y"):
            where = self.room.directory()
            done = self.put(destination, cwd=where)
            equal([done.status, done.out, files(where)], [73, b"", []], f"{destination} {done.err}")
            equal("--make-directories" in done.err and "mkdir -p" in done.err, True, done.err)
        where = self.room.directory()
        equal(self.put("--make-directories", "a/b/c/{item}", cwd=where).status, 0)
        equal((where / "a/b/c").is_dir(), True)

    def test_levels_that_an_item_names_are_made(self):
        where = self.room.directory()
        (where / "store").mkdir()
        for destination in ("store/{item}/x", "./store/a-{item}/b/c", "{item}/x", f"{where}/store/{{item}}/y"):
            done = self.put(destination, cwd=where)
            equal(done.status, 0, f"{destination} {done.err}")
        (where / "legacy").write_bytes(b"x")
        row = json.dumps({"source": "legacy", "target": "p/q/r"}).encode() + b"\n"
        batch = tool("bash", "-c", f"cd {where}; vault-get --as plain --rows - | vault-seal "
                     f"-r {self.room.recipient} | vault-chunk", data=row).out
        equal(self.put("store/{target}", cwd=where, parts=batch).status, 0)
        equal((where / "store/p/q/r").is_file(), True)

    def test_a_disk_that_is_not_mounted_is_not_taken_for_an_empty_one(self):
        if os.geteuid():
            print(ROOT_NEEDED)
            return
        where = self.room.directory()
        (where / "mnt").mkdir()
        (where / "parts").write_bytes(self.parts)
        script = (f"mount -t tmpfs none {where}/mnt && mkdir {where}/mnt/store && cd {where} && "
                  "vault-put mnt/store/{item} <parts && umount mnt && vault-put mnt/store/{item} <parts")
        status, out, said = run("unshare", "-m", "bash", "-c", script)
        equal([status, len(out.splitlines()), files(where / "mnt")], [73, 1, []], said)

    def test_modes_follow_umask_and_groups_their_directory(self):
        for mask in (0o000, 0o022, 0o027, 0o077):
            for overwrite in ((), ("--overwrite",)):
                where = self.room.directory()
                (where / "store").mkdir()
                os.chown(where / "store", -1, 12 if os.geteuid() == 0 else -1)
                os.chmod(where / "store", 0o2775)
                command = ["vault-put", *overwrite, "store/{item}/x"]
                status, _, said = run(*command, data=self.parts, cwd=where,
                                      before=lambda m=mask: os.umask(m))
                equal(status, 0, said)
                made = next((where / "store").iterdir())
                for path, mode in ((made, 0o777), (made / "x", 0o666)):
                    found = os.stat(path)
                    equal(oct(found.st_mode & 0o777), oct(mode & ~mask), f"{path} {mask:o}")
                    equal(found.st_gid, os.stat(where / "store").st_gid, "group")
                equal(os.stat(made).st_mode & 0o2000, 0o2000, "set-group-id goes on")

    # ---- what --overwrite leaves alone

    def others(self, where):
        os.mkfifo(where / "fifo")
        (where / "directory").mkdir()
        with subprocess.Popen(["python3", "-c", "import socket; socket.socket(socket.AF_UNIX).bind('socket')"],
                              cwd=where) as maker:
            maker.wait()
        found = ["fifo", "directory", "socket"]
        if os.geteuid() == 0:
            os.mknod(where / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
            os.mknod(where / "block", stat.S_IFBLK | 0o600, os.makedev(7, 250))
            found += ["null", "block"]
        for name in list(found):
            os.symlink(name, where / f"to-{name}")
            found.append(f"to-{name}")
        return found

    def test_only_a_regular_file_is_replaced(self):
        where = self.room.directory()
        for parts in (self.parts, self.room.sealed(11 * MIB)[1]):
            for name in self.others(where):
                before = identity(where / name)
                for options in ((), ("--overwrite",)):
                    done = self.put(*options, name, cwd=where, parts=parts)
                    equal([done.status, identity(where / name)], [73, before], f"{name} {done.err}")
                    assert done.receipt["status"] in ("exists", "failed"), done.receipt
            for path in where.iterdir():
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    def test_a_replaced_file_keeps_its_rights_and_a_link_stays_one(self):
        where = self.room.directory()
        (where / "deep").mkdir()
        for name in ("x", "link"):
            (where / "deep/x").write_bytes(b"old")
            os.chmod(where / "deep/x", 0o640)
            if os.geteuid() == 0:
                os.chown(where / "deep/x", 7, 12)
            if name == "link":
                os.symlink("deep/x", where / "link")
            done = self.put("--overwrite", "deep/x" if name == "x" else "link", cwd=where)
            equal(done.status, 0, done.err)
            found = os.stat(where / "deep/x")
            equal((where / "deep/x").read_bytes() == self.object, True, "the new object")
            equal(oct(found.st_mode & 0o777), "0o640")
            equal([found.st_uid, found.st_gid], [7, 12] if os.geteuid() == 0 else
                  [os.getuid(), os.getgid()])
        equal((where / "link").is_symlink(), True)

    def test_no_object_takes_the_place_of_a_file_of_its_own_command(self):
        where = self.room.directory()
        (where / "parts").write_bytes(self.parts)
        os.link(where / "parts", where / "parts2")
        line = "vault-put --overwrite {options} {name} <parts >>receipts 2>>messages"
        for options in ("", "--journal j", "--state s"):
            own = ["parts", "parts2", "receipts", "messages"] + options.split()[1:]
            for name in [form for n in own for form in (n, f"./{n}", f"{where}/{n}")]:
                for option in ("", "link", "symlink"):
                    (where / "other").unlink(missing_ok=True)
                    (where / "receipts").touch()
                    (where / "messages").touch()
                    if options:
                        (where / options.split()[1]).write_bytes(b"")
                    if option == "link":
                        os.link(where / name, where / "other")
                    elif option == "symlink":
                        os.symlink(where / name, where / "other")
                    target = "other" if option else name
                    before = identity(where / name)
                    status, _, said = run("bash", "-c", line.format(options=options, name=target), cwd=where)
                    equal([status, identity(where / name)], [73, before], f"{options} {target} {said}")
                    equal((where / "parts").read_bytes() == self.parts, True)

    def test_files_of_one_command_are_different_ones(self):
        where = self.room.directory()
        (where / "parts").write_bytes(self.parts)
        for line in ("vault-put --journal x x1 <parts >>x", "vault-put --state x x1 <parts >>./x",
                     "vault-put --journal parts x1 <parts", "cp parts y; vault-put x1 <y 1<>y"):
            status, _, said = run("bash", "-c", line, cwd=where)
            equal(status in (64, 73), True, f"{line} {status} {said}")
            equal((where / "parts").read_bytes() == self.parts, True, line)
            equal((where / "x1").exists(), False, line)

    # ---- told by first bytes

    def test_a_foreign_file_is_left_as_it_is(self):
        where = self.room.directory()
        for content in (b"x", b"\n", b"notes\n", b"{}\n", b'{"receipt":"vault/1"}\n', self.object,
                        b'{"journal":"vault/2"}\n', b"\0" * 100, b'{"journal": "vault/1"}\n', b"[1]"):
            (where / "file").write_bytes(content)
            for option, code in (("--journal", 73), ("--state", 73)):
                done = self.put(option, "file", "x", cwd=where)
                equal([done.status, '"file"' in done.err], [code, True], f"{option} {content[:20]} {done.err}")
            status, _, said = run("vault-put", "--sweep", "file", cwd=where)
            equal([status, '"file"' in said], [65, True], said)
            equal((where / "file").read_bytes(), content)
            equal((where / "x").exists(), False)

    def test_a_typo_for_sweep_makes_nothing(self):
        where = self.room.directory()
        status, _, said = run("vault-put", "--sweep", "TYPO", cwd=where)
        equal([status, files(where), '"TYPO": no such file' in said], [74, [], True], said)

    def test_an_empty_or_torn_journal_is_one(self):
        where = self.room.directory()
        mark = b'{"journal":"vault/1","event":"begin","token":"t"}\n'
        for cut in range(len(mark) + 1):
            # A whole line of another object makes a journal, and a state file of that object.
            for option in ("--journal", "--state") if cut < len(mark) else ("--journal",):
                (where / "j").write_bytes(mark[:cut])
                (where / "x").unlink(missing_ok=True)
                done = self.put(option, "j", "x", cwd=where)
                equal(done.status, 0, f"{cut} {option} {done.err}")
            status, _, said = run("vault-put", "--sweep", "j", cwd=where)
            equal(status, 0, f"{cut} {said}")

    def test_a_bad_line_is_told_with_its_file(self):
        where = self.room.directory()
        mark = b'{"journal":"vault/1","event":"begin","token":"t"}\n'
        for bad in (b"nonsense\n", b'{"journal":"vault/1","event":"odd","token":"t"}\n', b'{"x":1}\n'):
            (where / "j").write_bytes(mark + bad)
            for command in (["--sweep", "j"], ["--state", "j", "x"]):
                status, _, said = run("vault-put", *command, data=self.parts, cwd=where)
                equal([status, 'line 2 of journal "j": ' in said], [65, True], said)

    # ---- names, threads, descriptors

    def test_a_name_that_cannot_be_is_73(self):
        where = self.room.directory()
        os.symlink("loop", where / "loop")
        for name in ("a" * 256, "é" * 128, "/".join(["a" * 200] * 30), "loop", "loop/x"):
            for options in (("--make-directories",), ("--make-directories", "--overwrite")):
                done = self.put(*options, name, cwd=where)
                equal(done.status, 73, f"{name[:20]} {done.err}")
        equal(self.put("a" * 255, cwd=where).status, 0)

    def test_too_few_threads_or_descriptors_have_a_code_and_a_reason(self):
        if os.geteuid():
            print(ROOT_NEEDED)
            return
        where = self.room.directory()
        where.chmod(0o777)
        self.room.path.chmod(0o755)
        (where / "legacy").write_bytes(b"x")
        row = b'{"source":"legacy"}\n' * 3
        ended = {}
        for command, data in ((["vault-put", "x{item}"], self.parts),
                              (["vault-get", "--as", "plain", "--rows", "-"], row),
                              (["vault-drop", "--rows", "-"], row)):
            for limit, values in ((resource.RLIMIT_NPROC, range(0, 9)), (resource.RLIMIT_NOFILE, range(3, 16))):
                for value in values:
                    status, out, said = run(*command, data=data, cwd=where,
                                            before=lambda n=limit, v=value: self.limited(n, v))
                    ended.setdefault(status, 0)
                    ended[status] += 1
                    done = status == 0 or command[0] == "vault-drop" and status == 65
                    if status == 127:
                        continue  # not even the loader could open what it needs
                    what = f"{command[0]} {limit} {value}: {status} {said}"
                    equal(done or status in (73, 74, 75, 78), True, what)
                    # Not done, it says why, or its receipt does.
                    equal(bool(said) or done, True, what)
                    equal("permission denied" in said, False, what)
                    if command[0] == "vault-put" and status:
                        equal([p for p in where.iterdir() if p.name.startswith("x")], [], what)
                    for made in where.glob("x*"):
                        made.unlink()
        print(f"  {ended}")

    @staticmethod
    def limited(limit, value):
        # Root has no limit on processes; a user of the test's own has none yet.
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        resource.setrlimit(limit, (value, value))
        os.setresuid(64999, 64999, 64999)

    # ---- what vault-get takes

    def test_vault_get_takes_what_comes_once(self):
        where = self.room.directory()
        vault = self.room.sealed(3 * MIB)[0]
        (where / "object").write_bytes(vault)
        os.mkfifo(where / "fifo")
        for source in ("<(cat object)", "fifo", "- <object", "/dev/stdin <object", "- < <(cat object)",
                       "/dev/fd/7 7< <(cat object)", "./object", "to-fifo"):
            (where / "to-fifo").is_symlink() or os.symlink("fifo", where / "to-fifo")
            feeder = threading.Thread(target=lambda: (where / "fifo").write_bytes(vault))
            if "fifo" in source:
                feeder.start()
            for shape, wanted in (("sealed", vault), ("plain", None)):
                if shape == "plain" and "fifo" in source:
                    continue
                status, out, said = run("bash", "-c", f"vault-get --as {shape} {source}", cwd=where)
                equal(status, 0, f"{source} {said}")
                equal(out == wanted or wanted is None and vault[:1000] in out, True, source)
            if "fifo" in source:
                feeder.join()

    def test_of_a_stream_no_range_is_read(self):
        where = self.room.directory()
        os.mkfifo(where / "fifo")  # without a writer: it must not be waited for
        for source in ("-", "fifo", "<(cat /dev/null)"):
            for option in ("--range 0-9", "--heads"):
                status, _, said = run("bash", "-c", f"vault-get {option} {source}", cwd=where)
                equal([status, "stream" in said], [64, True], said)

    def test_a_stream_that_ends_early_is_incomplete(self):
        for cut in (0, 7, 8, 100, len(self.object) - 1):
            status, _, said = run("vault-get", "-", data=self.object[:cut])
            equal(status in (65, 66), True, f"{cut} {said}")
        equal(run("vault-get", "--max-bytes", "5", "-", data=self.object)[0], 65)

    def test_standard_input_is_read_once(self):
        status, _, said = run("vault-get", "--rows", "-", "--done", "-")
        equal([status, "both" in said], [64, True], said)


def main():
    room = Room()
    try:
        tests = Tests(room)
        found = [(name, getattr(tests, name)) for name in dir(tests) if name.startswith("test_")]
        return run_all(found, workers=2)
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
