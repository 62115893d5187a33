"""test_receipts.py [WORD…]: a file of receipts is whole lines, and no object is without a receipt unnamed.

With VAULT_TEST_SOAK=1 every byte and every size in place of a sample.
"""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys

from room import MIB, ROOT, Room, clean_environment, equal, put, run_all, tool

from fault_server import Server  # room knows where it is

SOAK = os.environ.get("VAULT_TEST_SOAK") == "1"
S3 = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "testkey",
      "AWS_SECRET_ACCESS_KEY": "testsecretkey0123456789"}
README = (ROOT / "README.md").read_text(encoding="utf-8")
GLUED = 'vault-get --as plain --rows rows.jsonl --rows-end'


def readme_line(first):
    """The command of README.md that begins so, with the lines that it goes on in."""
    lines = README.splitlines()
    place = next(n for n, line in enumerate(lines) if line.strip().startswith(first))
    found = [lines[place].strip()]
    while found[-1].endswith("|"):
        place += 1
        found.append(lines[place].strip())
    return " ".join(found)


BATCH = readme_line(GLUED + " | ")
RESUME = readme_line(GLUED + " --done")
VERIFY = readme_line("vault-get --rows receipts.jsonl")


def shell(line, cwd, limit=None):
    """The line in bash, and the status of each stage."""
    return subprocess.run(["bash", "-c", line + '\necho "${PIPESTATUS[*]}" >statuses'], cwd=cwd,
                          env=clean_environment(), capture_output=True, text=True, check=False,
                          preexec_fn=limit)


def statuses(cwd):
    return [int(word) for word in (cwd / "statuses").read_text().split()]


def whole_receipts(path):
    found = []
    for line in path.read_bytes().split(b"\n"):
        with contextlib.suppress(ValueError):
            value = json.loads(line)
            if value.get("receipt") == "vault/1":
                found.append(value)
    return found


# The call on standard output fails from the Nth time on; a filter of system calls forbids strace's way.
FAILING = r"""
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int fails(int fd, const char *name) {
  static atomic_int calls;
  const char *from = getenv(name);
  return fd == 1 && from && atomic_fetch_add(&calls, 1) + 1 >= atoi(from);
}
static long failed(void) { errno = EIO; return -1; }
ssize_t write(int fd, const void *bytes, size_t count) {
  return count && fails(fd, "FAIL_WRITE") ? failed() : syscall(SYS_write, fd, bytes, count);
}
int fsync(int fd) { return fails(fd, "FAIL_FSYNC") ? (int)failed() : (int)syscall(SYS_fsync, fd); }
"""


class Tests:
    def __init__(self, room):
        self.room = room
        self.base = room.directory()
        self.rows(self.base, 3, 100_000)
        equal(shell(BATCH, self.base).returncode, 0, "the batch of README.md")
        equal(statuses(self.base), [0] * 5)

    def rows(self, where, count, size):
        (where / "legacy").mkdir()
        (where / "sealed").mkdir()
        shutil.copy(self.room.identity, where / "study.key")
        (where / "team.txt").write_text(self.room.recipient + "\n")
        with open(where / "rows.jsonl", "w", encoding="ascii") as rows:
            for n in range(1, count + 1):
                (where / f"legacy/{n}.zip").write_bytes(self.room.data(size, n))
                print(json.dumps({"id": n, "source": f"legacy/{n}.zip", "bytes": size},
                                 separators=(",", ":")), file=rows)
            print(json.dumps({"end": True, "rows": count}, separators=(",", ":")), file=rows)

    def verified(self, where):
        """The ids whose receipts README.md's own line finds to be true."""
        done = shell(VERIFY, where)
        verdicts = [json.loads(line) for line in (where / "verdicts.jsonl").read_text().splitlines()]
        good = {v["row"]["row"]["id"] for v in verdicts if v.get("verified") is True}
        return good, done

    # ---- a receipts file is a sequence of whole lines

    def test_a_receipts_file_cut_at_any_byte_is_resumed_without_loss(self):
        receipts = (self.base / "receipts.jsonl").read_bytes()
        ends = [m.start() for m in re.finditer(b"\n", receipts)]
        near = {e + d for e in [0, *ends] for d in (-2, -1, 0, 1, 2) if 0 <= e + d <= len(receipts)}
        cuts = range(len(receipts) + 1) if SOAK else sorted(near | set(range(0, len(receipts), 211)))
        where = self.room.directory()
        shutil.copytree(self.base, where, dirs_exist_ok=True)
        for cut in cuts:
            shutil.rmtree(where / "sealed")
            shutil.copytree(self.base / "sealed", where / "sealed")
            (where / "receipts.jsonl").write_bytes(receipts[:cut])
            torn = cut and receipts[cut - 1:cut] != b"\n" and cut not in ends
            done = shell(RESUME, where)
            equal(statuses(where), [0] * 5, f"cut at {cut}: {done.stderr}")
            line = receipts[:cut].count(b"\n") + 1
            equal(f"line {line} of the receipts" in done.stderr, bool(torn), f"{cut}: {done.stderr}")
            good, check = self.verified(where)
            equal(good, {1, 2, 3}, f"verified after a cut at {cut}")
            equal(f"line {line}:" in check.stderr, bool(torn), f"{cut}: {check.stderr}")
            after = (where / "receipts.jsonl").read_bytes()
            equal(after.startswith(receipts[:cut]), True, f"{cut}")
            # Where all were stored, nothing was written.
            equal(after.endswith(b"}\n"), cut < len(receipts) - 1 or cut == len(receipts), f"{cut}")
            stored = [r["row"]["id"] for r in whole_receipts(where / "receipts.jsonl")]
            equal(sorted(stored), [1, 2, 3], f"receipts after a cut at {cut}")
        print(f"  {len(cuts)} of {len(receipts) + 1} cuts")

    def test_a_line_end_alone_is_missing_and_nothing_is_read_again(self):
        where = self.room.directory()
        shutil.copytree(self.base, where, dirs_exist_ok=True)
        whole = (where / "receipts.jsonl").read_bytes()
        (where / "receipts.jsonl").write_bytes(whole[:-1])
        done = shell(RESUME, where)
        equal([done.stderr, len(list((where / "sealed").iterdir()))], ["", 3])

    def test_glued_receipts_are_read_again(self):
        where = self.room.directory()
        shutil.copytree(self.base, where, dirs_exist_ok=True)
        lines = (where / "receipts.jsonl").read_bytes().splitlines()
        for glued in (lines[0] + lines[1], lines[0][:400] + lines[1], lines[0][:-1] + lines[1]):
            (where / "receipts.jsonl").write_bytes(glued + b"\n" + lines[2] + b"\n")
            shell(RESUME, where)
            equal(statuses(where), [0] * 5)
            equal(self.verified(where)[0], {1, 2, 3}, "verified")

    def test_two_writers_of_one_file_glue_nothing(self):
        where = self.room.directory()
        (where / "store").mkdir()
        with open(where / "receipts", "ab") as out:
            writers = []
            for n in range(6):
                parts = self.room.parts(tool("vault-seal", "-r", self.room.recipient, data=tool(
                    "vault-hash", data=b"%d" % n).out).out)
                writers.append(subprocess.Popen(["vault-put", "store/{item}"], stdin=-1, stdout=out,
                                                cwd=where, env=clean_environment()))
                writers[-1].stdin.write(parts)
                writers[-1].stdin.close()
                out.write(b'{"receipt":"vault/1","ite')  # and a third that a full disk cut
                out.flush()
            equal([w.wait(60) for w in writers], [0] * 6)
        equal(len(whole_receipts(where / "receipts")), 6, "whole lines")

    def tails(self, where, start, torn, command):
        """What is in the file after `vault-put` has written behind `torn`, by `start`."""
        (where / "receipts").write_bytes(torn)
        (where / "parts").write_bytes(self.room.sealed(10)[1])
        shutil.rmtree(where / "store", ignore_errors=True)
        (where / "store").mkdir()
        done = subprocess.run(["bash", "-c", command.format(put=f"vault-put store/x <parts {start}")],
                              cwd=where, env=clean_environment(), capture_output=True, check=False)
        equal([done.returncode, done.stderr], [0, b""], start)
        return (where / "receipts").read_bytes()

    def test_a_torn_line_is_ended_however_the_file_was_opened(self):
        where = self.room.directory()
        for start, torn, wanted in [
                (">>receipts", b"torn", b"torn\n{"), (">>receipts", b"whole\n", b"whole\n{"),
                (">>receipts", b"", b"{"), ("1<>receipts", b"", b"{"),
                (">/dev/stdout >>receipts", b"torn", b"torn\n{"), (">receipts", b"torn", b"{"),
                ("| cat >>receipts", b"whole\n", b"whole\n{")]:
            equal(self.tails(where, start, torn, "{put}").startswith(wanted), True, start)
        both = "{{ printf torn; {put}; }} >receipts"
        equal(self.tails(where, "", b"", both).startswith(b"torn\n{"), True, "a shared offset")

    def test_a_file_whose_end_cannot_be_seen_gets_an_empty_line_that_readers_pass_over(self):
        if os.geteuid():
            print("skipped: root is missing")
            return
        # Nobody may write the file, and not read it.
        command = "chmod 222 receipts; chown -R nobody .; setpriv --reuid=nobody --clear-groups {put}"
        self.room.path.chmod(0o755)
        where = self.room.directory()
        where.chmod(0o755)
        receipt = json.dumps({"receipt": "vault/1", "status": "failed"}).encode() + b"\n"
        seen = self.tails(where, ">>receipts", receipt, command.replace("222", "666"))
        equal(seen.startswith(receipt + b"{"), True, "a user sees the end of a file that may be read")
        found = self.tails(where, ">>receipts", receipt, command)
        equal(found.startswith(receipt + b"\n{"), True, "an empty line where it may not be read")
        equal(self.tails(where, ">>receipts", b"torn", command).startswith(b"torn\n{"), True)
        (where / "receipts").write_bytes(found[len(receipt):])
        verdict = tool("vault-open", "-i", self.room.identity, "--batch", "--check", data=tool(
            "bash", "-c", f"cd {where} && vault-get --rows receipts").out)
        equal(json.loads(verdict.out)["verified"], True)
        rows = f'cd {where} && echo \'{{"source":"legacy"}}\' | vault-get --as plain --done receipts --rows -'
        said = subprocess.run(["bash", "-c", rows], env=clean_environment(), capture_output=True,
                              check=False).stderr
        equal(b"of the receipts" in said, False, f"{said}")
        moved = subprocess.run(["vault-key", "rewrap", "-i", self.room.identity, "-r",
                                self.room.recipient], input=b"\n" + found[len(receipt):] + b"\n",
                               env=clean_environment(), capture_output=True, check=False)
        equal(moved.returncode, 0, f"{moved.stderr}")
        drop = subprocess.run(["vault-drop", "--rows", "receipts"], cwd=where, check=False,
                              env=clean_environment(), capture_output=True)
        equal(len(drop.stdout.splitlines()), 1, f"answers: {drop.stdout}")

    # ---- no object without a receipt

    @contextlib.contextmanager
    def outputs(self):
        """What cannot take a receipt: name, descriptor, limit."""
        where = self.room.directory()
        reader, writer = os.pipe()
        os.close(reader)
        one, other = socket.socketpair()
        other.close()
        (where / "readonly").write_bytes(b"")
        opened = [os.open("/dev/full", os.O_WRONLY), os.open(where / "readonly", os.O_RDONLY),
                  os.open(where / "limited", os.O_WRONLY | os.O_CREAT | os.O_APPEND),
                  os.open("/", os.O_PATH)]

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

        os.truncate(where / "limited", 200_000)
        yield [("closed", None, lambda: os.close(1)), ("no reader", writer, None),
               ("no peer", one.fileno(), None), ("full device", opened[0], None),
               ("read-only", opened[1], None), ("file limit", opened[2], small),
               ("no file", opened[3], None)]
        for number in (writer, *opened):
            os.close(number)
        one.close()

    def inputs(self):
        lone = self.room.sealed(10)[1]
        several = self.room.sealed(11 * MIB)[1]
        return [("lone", lone), ("several parts", several)]

    def test_where_no_receipt_can_be_written_nothing_is_stored(self):
        counted = 0
        with self.outputs() as outputs:
            for output, number, limit in outputs:
                for name, stream in self.inputs():
                    where = self.room.directory()
                    done = self.put_to(number, limit, stream, "x{item}", where, clean_environment())
                    self.refused(done, f"{output}, {name}, directory")
                    equal(list(where.iterdir()), [], f"{output}, {name}: what is stored")
                    server = Server({"rules": []}).start()
                    env = clean_environment(AWS_ENDPOINT_URL_S3=server.url, **S3)
                    done = self.put_to(number, limit, stream, "s3://vault-test/{item}", where, env)
                    self.refused(done, f"{output}, {name}, S3")
                    kinds = set(server.report()["requests"]) - {"HeadObject"}
                    equal([kinds, server.report()["objects"]], [set(), {}], f"{output}, {name}")
                    server.close()
                    counted += 2
        print(f"  {counted} combinations")

    def put_to(self, number, limit, stream, destination, where, env):
        source = where.parent / f"{where.name}.parts"
        source.write_bytes(stream)
        with open(source, "rb") as file:
            return subprocess.run(["vault-put", destination], stdin=file, stdout=number, cwd=where,
                                  stderr=subprocess.PIPE, preexec_fn=limit, env=env, check=False)

    def refused(self, done, what):
        equal(done.returncode, 74, f"{what}: {done.stderr}")
        equal(b"cannot write standard output: " in done.stderr, True, f"{what}: {done.stderr}")

    def failing(self, how):
        """The words that make a call of the command behind them fail."""
        library = self.room.path / "failing.so"
        with self.room.lock:
            if not library.exists():
                tool("clang", "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", str(library),
                     data=FAILING.encode())
        return f"env LD_PRELOAD={library} FAIL_{how}"

    def unsaid(self, where, options, command):
        """A batch whose receipts fail from the fifth on: the objects that are there, that were printed, that
        were told; and what was said."""
        self.rows(where, 12, 20_000)
        line = BATCH.replace("vault-put", f"{command} vault-put {options}").replace(
            ">receipts.jsonl", ">receipts.jsonl 2>said")
        shell(line, where)
        equal(statuses(where)[4], 74, "vault-put")
        there = {f"sealed/{p.name}" for p in (where / "sealed").iterdir()}
        said = (where / "said").read_text()
        told = set(re.findall(r'error: "([^"]*)", item [0-9a-f-]{36}, is stored and has no receipt: ', said))
        printed = {r["object"] for r in whole_receipts(where / "receipts.jsonl")}
        return there, printed, told, said

    def test_an_object_whose_receipt_fails_later_is_told_and_not_lost(self):
        failing = self.failing("WRITE=5")
        for options in ("", "--journal j"):
            where = self.room.directory()
            there, printed, told, said = self.unsaid(where, options, failing)
            equal([there - printed, len(printed)], [told, 4], said)
            assert told, said
            if options:
                equal(said.count('hint: vault-put --sweep "j" prints it'), len(told), said)
                swept = tool("bash", "-c", f"cd {where} && vault-put --sweep j >>receipts.jsonl")
                equal(swept.err, "")
                equal({r["object"] for r in whole_receipts(where / "receipts.jsonl")}, there, "all receipts")
            else:
                hints = re.findall(r"hint: the receipt is (\{.*\})$", said, re.M)
                equal({json.loads(h)["object"] for h in hints}, told, "receipts in hints")

    def test_a_receipt_that_may_not_last_is_told(self):
        where = self.room.directory()
        there, _, told, said = self.unsaid(where, "", self.failing("FSYNC=1"))
        equal(there, told, said)

    def test_the_same_command_again_says_what_is_there(self):
        where = self.room.directory()
        (where / "store").mkdir()
        parts = self.room.sealed(10)[1]
        env = clean_environment()
        equal(put(parts, "store/x", env=env, cwd=where).status, 0)
        for options, hint in (([], "vault-open --inspect"), (["--journal", "j"], "--sweep \"j\"")):
            again = put(parts, *options, "store/x", env=env, cwd=where)
            equal([again.status, "of the same item" in again.err, hint in again.err], [73, True, True],
                  again.err)

    # ---- on a disk that is full, and then larger

    def on_small_disk(self, size, script):
        """Runs the script in a directory on a tmpfs of so many bytes, which goes on in its mounts."""
        where = self.room.directory()
        wrapped = f"mount -t tmpfs -o size={size} none {where} || exit 99\ncd {where}\n{script}"
        return where, subprocess.run(["unshare", "-m", "bash", "-c", wrapped], capture_output=True,
                                     text=True, env=clean_environment(), check=False)

    def full_disk(self, size, split):
        keep = self.room.directory()
        objects = keep / "objects"
        objects.mkdir()
        base = self.room.directory()
        self.rows(base, 12, 20_000)
        link = f"rmdir sealed && ln -s {objects} sealed" if split else "true"
        script = f"""
ln -s {base}/legacy {base}/rows.jsonl {base}/study.key {base}/team.txt .
mkdir sealed
{link}
{BATCH}
echo "${{PIPESTATUS[*]}}" >{keep}/first
cp receipts.jsonl {keep}/receipts.first; ls sealed/ | cat >{keep}/objects.first
mount -o remount,size=64m . || exit 98
{RESUME.replace("--rows rows.jsonl", "--files . --files " + str(base) + " --rows rows.jsonl")}
echo "${{PIPESTATUS[*]}}" >{keep}/second
{VERIFY}
cp verdicts.jsonl receipts.jsonl {keep}
"""
        script = script.replace("vault-get --as plain --rows", f"vault-get --files . --files {base} --as plain --rows")
        script = script.replace("vault-get --rows", f"vault-get --files . --files {objects} --rows")
        where, done = self.on_small_disk(size, script)
        equal((keep / "second").exists(), True, f"{size}: {done.returncode} {done.stderr}")
        return keep, done

    def test_a_full_disk_that_is_enlarged_loses_no_row(self):
        if os.geteuid():
            print("skipped: root is missing")
            return
        sizes = range(16 << 10, 400 << 10, 4096 if SOAK else 72 << 10)
        full = 0
        for split in (False, True):
            for size in range(16 << 10, 40 << 10, 4096) if split else sizes:
                keep, done = self.full_disk(size, split)
                first = [int(w) for w in (keep / "first").read_text().split()]
                second = [int(w) for w in (keep / "second").read_text().split()]
                full += any(first)
                equal(second, [0] * 5, f"size {size}: {done.stderr}")
                verdicts = [json.loads(v) for v in (keep / "verdicts.jsonl").read_text().splitlines()]
                good = {v["row"]["row"]["id"] for v in verdicts if v.get("verified") is True}
                equal(good, set(range(1, 13)), f"verified, size {size}")
                # Room for a receipt is found before its object is there.
                printed = {pathlib.Path(r["object"]).name for r in whole_receipts(keep / "receipts.first")
                           if r["status"] == "stored"}
                there = set((keep / "objects.first").read_text().split())
                equal(there - printed, set(), f"objects without a receipt, size {size}: {done.stderr}")
        assert full > 3, "no disk was full"
        print(f"  {full} full disks")


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
