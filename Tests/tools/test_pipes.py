"""test_pipes.py [WORD…]: what a pipe, a signal and a full disk do to the tools. Names begin with ids of docs/CASES.md."""

import contextlib
import ctypes
import fcntl
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import streams
from room import MIB, Room, clean_environment, equal, finish, put, run_all, start, tool, until

from fault_server import Server  # room knows where it is

PIPELINE = "vault-hash {} | vault-seal -r {} | vault-chunk --part-size 5MiB | vault-put s3://vault-test/x"


class Tests:
    def __init__(self, room):
        self.room = room
        vault, parts = room.sealed(300_000)
        hashed = tool("vault-hash", data=room.data(300_000)).out
        self.filters = {  # command, its input, whether the same input gives the same output
            "hash": (["vault-hash", "--item", "9c7b5b1e-6f4e-4c8b-9a51-1f0a6c7d2e11"],
                     room.data(300_000), True),
            "seal": (["vault-seal", "-r", room.recipient], hashed, False),
            "chunk": (["vault-chunk"], vault, True),
            "open": (["vault-open", "-i", room.identity], vault, True)}
        self.vault, self.parts = vault, parts

    @contextlib.contextmanager
    def serving(self, *rules, **settings):
        server = Server({"rules": list(rules), **settings}).start()
        try:
            yield server, clean_environment(
                AWS_ENDPOINT_URL_S3=server.url, AWS_REGION="us-east-1", AWS_ACCESS_KEY_ID="testkey",
                AWS_SECRET_ACCESS_KEY="testsecretkey0123456789")
        finally:
            server.close()

    def same(self, name, out):
        """Whether this is what the tool makes of its input."""
        command, data, fixed = self.filters[name]
        if name == "hash":
            found = list(streams.frames(out))
            equal("".join(letter for letter, _, _ in found).replace("D", ""), "LHZ", "frames")
            equal(b"".join(p for letter, p, _ in found if letter == "D") == data, True, "the data")
        elif fixed:
            equal(out == tool(*command, data=data).out, True, f"the output of {name}")
        else:
            equal(self.room.opened(out) == self.room.data(300_000), True, f"what {name} sealed")

    def pipeline(self, first, env, more=""):
        text = PIPELINE.format(first, self.room.recipient) + more
        begun = start("bash", "-c", text + '; echo "${PIPESTATUS[*]}" >&2', env=env, stdout=-1,
                      stderr=-1)
        return finish(begun, timeout=60)

    def nothing(self, server):
        report = server.report()
        equal([report["objects"], report["open_uploads"]], [{}, []], "what is left")

    # ---- the producer

    def test_p01_a_producer_that_dies_leaves_no_object(self):
        for size in ("0", "100", "12000000"):
            with self.serving() as (server, env):
                done = self.pipeline(f"-- sh -c 'head -c {size} /dev/zero; kill -9 $$'", env)
                equal(done.err.splitlines()[-1], "66 66 66 66", "exit codes")
                equal(done.receipt["status"], "incomplete")
                equal(done.receipt["error"]["stage"], "vault-hash")
                self.nothing(server)

    def test_p01_a_stream_without_its_end_mark_is_never_committed(self):
        stream = self.room.sealed(11 * MIB)[1]
        with self.serving() as (server, env):
            for cut in (0, 1, 8, 20, 4096, 5 * MIB, 6 * MIB, len(stream) - 24, len(stream) - 1):
                done = put(stream[:cut], "s3://vault-test/x", env=env)
                equal((done.status, cut, [r["status"] for r in done.receipts]),
                      (66, cut, ["incomplete"] * len(done.receipts)))
            self.nothing(server)

    def test_p03_an_empty_input_is_an_object_of_size_0_unless_refused(self):
        with self.serving() as (server, env):
            done = self.pipeline("</dev/null", env)
            equal(done.err, "0 0 0 0\n")
            equal(done.receipt["data_bytes"], 0)
            equal(len(server.report()["objects"]), 1)
            again = self.pipeline("</dev/null", env)
            equal(again.receipt["status"], "exists")
        with self.serving() as (server, env):
            done = self.pipeline("--refuse-empty </dev/null", env)
            equal(done.err.splitlines()[-1], "65 66 66 66")
            equal([done.receipt["error"]["name"], done.receipt["status"]],
                  ["empty-refused", "incomplete"])
            self.nothing(server)

    def test_p04_a_read_error_is_not_the_end_of_the_input(self):
        with memory_that_ends(self.room.data(300_000)[:4096]) as offset:
            for command in (*(c for c, _, _ in self.filters.values()), ["vault-put", "x.vault"]):
                file = os.open(f"/proc/{os.getpid()}/mem", os.O_RDONLY)
                os.lseek(file, offset, os.SEEK_SET)
                done = finish(start(*command, stdin=file, stdout=-1, stderr=-1,
                                    cwd=self.room.directory()))
                os.close(file)
                equal(done.status in (65, 74), True, f"{command[0]} {done.status} {done.err}")
                if command[0] == "vault-hash":
                    assert "input/output error" in done.err, done.err
                    assert b"Z\x00\x00\x00" not in done.out[-40:], "an end was written"

    def test_p04_a_directory_cannot_be_read(self):
        for command, _, _ in self.filters.values():
            file = os.open("/", os.O_RDONLY)
            done = finish(start(*command, stdin=file, stdout=-1, stderr=-1))
            os.close(file)
            equal(done.status, 74, command[0])
            assert "is a directory" in done.err, done.err

    def test_p08_a_refused_upload_does_not_wait_for_its_endless_input(self):
        rule = {"match": "UploadPart", "action": "status", "status": 403, "code": "AccessDenied"}
        with self.serving({**rule, "count": 0}) as (server, env):
            done = self.pipeline("</dev/zero", env)
            equal(done.err.splitlines()[-1], "141 141 141 77")
            equal(done.receipt["error"]["name"], "remote-denied")
            self.nothing(server)

    def test_p08_a_refused_upload_does_not_wait_for_a_silent_input(self):
        rule = {"match": "UploadPart", "action": "status", "status": 403, "code": "AccessDenied"}
        with self.serving({**rule, "count": 0}) as (server, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            with contextlib.suppress(BrokenPipeError):
                begun.stdin.write(self.room.sealed(11 * MIB)[1][:10 * MIB])
                begun.stdin.flush()
            begun.wait(timeout=20)
            equal(begun.returncode, 77)
            finish(begun)
            self.nothing(server)

    def test_p09_a_refused_second_part_ends_an_endless_pipeline(self):
        rule = {"match": "UploadPart", "part": 2, "action": "status", "status": 400,
                "code": "InvalidArgument"}
        with self.serving(rule) as (server, env):
            done = self.pipeline("</dev/zero", env)
            equal(done.err.splitlines()[-1], "141 141 141 69")
            self.nothing(server)

    def test_h37_no_request_waits_for_a_slow_producer(self):
        with self.serving(idle_seconds=0.5) as (server, env):
            begun = start("vault-put", "--idle-timeout", "1", "--retries", "0", "s3://vault-test/x",
                          env=env, stdin=-1, stdout=-1, stderr=-1)
            stream = self.room.sealed(11 * MIB)[1]
            begun.stdin.write(stream[:4 * MIB])
            begun.stdin.flush()
            time.sleep(1.5)
            equal(server.report()["connections"], 0, "connections while nothing is ready")
            for at in range(4 * MIB, len(stream) - 600, 2 * MIB):
                begun.stdin.write(stream[at:min(at + 2 * MIB, len(stream) - 600)])
                begun.stdin.flush()
                time.sleep(0.7)
            for at in range(len(stream) - 600, len(stream), 200):
                begun.stdin.write(stream[at:at + 200])
                begun.stdin.flush()
                time.sleep(0.7)
            done = finish(begun)
            equal((done.status, done.err), (0, ""))

    # ---- the consumer

    def test_p06_a_reader_that_leaves_ends_a_filter_by_sigpipe(self):
        big = {"hash": b"x" * (4 * MIB)}
        hashed = tool("vault-hash", data=big["hash"]).out
        big.update(seal=hashed)
        big["chunk"] = big["open"] = tool("vault-seal", "-r", self.room.recipient, data=hashed).out
        for name, (command, _, _) in self.filters.items():
            begun = start(*command, stdin=-1, stdout=-1, stderr=-1)
            begun.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                begun.stdin.write(big[name])
            with contextlib.suppress(BrokenPipeError):
                begun.stdin.close()
            equal((begun.wait(timeout=20), begun.stderr.read()), (-signal.SIGPIPE, b""), name)
            begun.stderr.close()

    def test_p06_receipts_that_nobody_reads_are_74(self):
        with self.serving() as (_, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            begun.stdout.close()
            begun.stdin.write(self.parts)
            begun.stdin.close()
            equal(begun.wait(timeout=20), 74)
            assert b"broken pipe" in begun.stderr.read()
            begun.stderr.close()

    def test_p11_a_full_disk_is_74_in_every_stage(self):
        full = os.open("/dev/full", os.O_WRONLY)
        for command, data, _ in self.filters.values():
            done = finish(start(*command, stdin=-1, stdout=full, stderr=-1), data)
            equal(done.status, 74, command[0])
            assert "no space left on device" in done.err, done.err
        with self.serving() as (_, env):
            done = finish(start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=full,
                                stderr=-1), self.parts)
            equal(done.status, 74)
        os.close(full)

    def test_p11_a_stage_that_failed_shows_in_the_last_one(self):
        with self.serving() as (server, env):
            done = self.pipeline("--max-bytes 1KiB </dev/zero", env)
            equal(done.err.splitlines()[-1], "65 66 66 66")
            equal(done.receipt["error"], {**done.receipt["error"], "stage": "vault-hash",
                                          "name": "too-large", "code": 65})
            self.nothing(server)

    # ---- descriptors

    def test_p12_descriptors_that_do_not_block(self):
        for name, (command, data, _) in self.filters.items():
            self.same(name, nonblocking(command, data))
        with self.serving() as (server, env):
            receipt = nonblocking(["vault-put", "s3://vault-test/x"], self.parts, env)
            assert b'"status":"stored"' in receipt, receipt
            equal(server.backend.objects["vault-test", "x"].body == self.vault, True)

    def test_p14_a_frame_is_opened_without_waiting_for_the_next(self):
        vault = self.room.sealed(3 * MIB)[0]
        first = vault.index(b"C\x00\x00\x00", 8)
        length = int.from_bytes(vault[first + 4:first + 8], "big")
        begun = start("vault-open", "-i", self.room.identity, stdin=-1, stdout=-1)
        begun.stdin.write(vault[:first + 16 + length])
        begun.stdin.flush()
        got = begun.stdout.read(MIB)  # hangs if it waits for more input
        equal(got == self.room.data(3 * MIB)[:MIB], True, "the first frame")
        rest = finish(begun, vault[first + 16 + length:])
        equal(rest.status, 0)

    def test_p14_vault_hash_hands_on_what_has_come(self):
        begun = start("vault-hash", stdin=-1, stdout=-1)
        begun.stdin.write(b"a few bytes")
        begun.stdin.flush()
        seen = b""
        while b"a few bytes" not in seen:
            seen += os.read(begun.stdout.fileno(), 65536)
        equal(finish(begun).status, 0)

    def test_p15_every_kind_of_standard_input(self):
        for name, (command, data, _) in self.filters.items():
            for kind, file in self.kinds(data):
                done = finish(start(*command, stdin=file, stdout=-1, stderr=-1))
                equal((done.status, done.err), (0, ""), f"{name} from {kind}")
                self.same(name, done.out)
        for kind, file in self.kinds(self.parts):
            with self.serving() as (_, env):
                equal(put(file, "s3://vault-test/x", env=env).status, 0, f"put from {kind}")

    def kinds(self, data):
        room = self.room.directory()
        (room / "file").write_bytes(data)
        with open(room / "file", "rb") as file:
            yield "a file", file
        (room / "later").write_bytes(b"skipped" + data)
        with open(room / "later", "rb", buffering=0) as file:
            file.seek(7)
            yield "a file from the middle on", file
        os.mkfifo(room / "fifo")
        writer = threading.Thread(target=lambda: (room / "fifo").write_bytes(data))
        writer.start()
        with open(room / "fifo", "rb") as file:
            yield "a fifo", file
        writer.join()
        ours, theirs = socket.socketpair()
        writer = threading.Thread(target=lambda: (ours.sendall(data), ours.close()))
        writer.start()
        with theirs:
            yield "a socket", theirs
        writer.join()

    def test_p15_dev_stdin_by_name(self):
        for name in ("hash", "seal", "chunk", "open"):
            command, data, _ = self.filters[name]
            self.same(name, tool(*command, "/dev/stdin", data=data).out)

    def test_p15_files_of_proc(self):
        with open("/proc/self/status", "rb") as file:
            equal(tool_on("vault-hash", file), 0)
        with open("/proc/cpuinfo", "rb") as file:
            equal(tool_on("vault-hash", file), 0)

    def test_p15_closed_descriptors(self):
        for command, data, _ in self.filters.values():
            for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
                begun = start("bash", "-c", 'exec "$@" ' + closed, "-", *command, stdin=-1,
                              stdout=-1, stderr=-1)
                done = finish(begun, data if closed == "2>&-" else None)
                wanted = (0,) if closed == "2>&-" else (64, 65, 66, 74)
                equal(done.status in wanted, True, f"{command[0]} {closed}: {done.status} {done.err}")

    def test_l01_writes_that_move_little(self):
        for name, (command, data, _) in self.filters.items():
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            begun = start(*command, stdin=-1, stdout=writer)
            os.close(writer)
            threading.Thread(target=lambda b=begun, d=data: (b.stdin.write(d), b.stdin.close())).start()
            pieces = []
            while piece := os.read(reader, 1000):
                pieces.append(piece)
            os.close(reader)
            equal(begun.wait(timeout=20), 0)
            self.same(name, b"".join(pieces))

    # ---- signals

    def test_p17_signals_that_only_interrupt(self):
        for name, (command, data, _) in self.filters.items():
            self.same(name, self.shaken(command, data, clean_environment()))
        with self.serving() as (server, env):
            stream = self.room.sealed(11 * MIB)[1]
            out = self.shaken(["vault-put", "s3://vault-test/x"], stream, env)
            assert b'"status":"stored"' in out, out
            equal(server.backend.objects["vault-test", "x"].body == self.room.sealed(11 * MIB)[0], True)

    def shaken(self, command, data, env):
        begun = start(*command, stdin=-1, stdout=-1, env=env)
        out = []
        reading = threading.Thread(target=lambda: out.append(begun.stdout.read()))
        reading.start()
        numbers = itertools.cycle([signal.SIGWINCH, signal.SIGCONT, signal.SIGCHLD, signal.SIGURG,
                                   signal.SIGSTOP, signal.SIGCONT])
        step = max(1, len(data) // 30)
        time.sleep(0.1)  # until the signals have their meaning
        for at in range(0, len(data), step):
            begun.stdin.write(data[at:at + step])
            begun.stdin.flush()
            for _ in range(6):
                begun.send_signal(next(numbers))
                time.sleep(0.001)
        begun.send_signal(signal.SIGCONT)
        begun.stdin.close()
        equal(begun.wait(timeout=30), 0, command[0])
        reading.join()
        begun.stdout.close()
        return out[0]

    def test_p17_term_and_int_still_end_the_run(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            for command, data, _ in self.filters.values():
                begun = start(*command, stdin=-1, stdout=-1, stderr=-1)
                begun.stdin.write(data[:len(data) // 2])
                begun.stdin.flush()
                until(lambda b=begun: sleeping(b))
                begun.send_signal(number)
                equal(begun.wait(timeout=10), -number, command[0])
                finish(begun)

    # ---- what is written where

    def test_p19_every_pair_of_options_stores_the_same(self):
        options = [["--jobs", "1"], ["--memory", "1MiB"], ["--temp", str(self.room.directory())],
                   ["--checksum", "md5"], ["--checksum", "none"], ["--overwrite"], ["--retries", "0"],
                   ["--progress", "json"], ["--journal", str(self.room.path / "pair.journal")],
                   ["--addressing", "path"], ["--header", "cache-control: no-store"]]
        vault, stream = self.room.sealed(11 * MIB)
        with self.serving(allow=["no-checksum"]) as (server, env):
            for number, (one, other) in enumerate(itertools.combinations(options, 2)):
                if one[0] == other[0]:
                    continue
                done = put(stream, *one, *other, f"s3://vault-test/{number}", env=env)
                equal(done.status, 0, f"{one} {other}: {done.err}")
                equal(server.backend.objects.pop(("vault-test", str(number))).body == vault, True)
            equal(server.report()["violations"], [])

    def test_p19_options_that_exclude_each_other_are_64_before_any_byte_is_read(self):
        for words in (["--journal", "a", "--state", "b", "x"], ["--sweep", "a", "--state", "b"],
                      ["--sweep", "a", "x"]):
            begun = start("vault-put", *words, stdin=-1, stdout=-1, stderr=-1,
                          cwd=self.room.directory())
            equal(begun.wait(timeout=10), 64, f"{words}")
            finish(begun)

    def test_p20_a_copy_in_text_mode_is_named(self):
        for copy in (self.vault.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + self.vault,
                     self.vault.decode("latin-1").encode("utf-16"),
                     self.vault.decode("latin-1").encode("utf-16-be")):
            for command in (["vault-open", "-i", self.room.identity], ["vault-chunk"]):
                done = finish(start(*command, stdin=-1, stdout=-1, stderr=-1), copy)
                equal(done.status, 65, command[0])
                assert "text" in done.err, done.err


@contextlib.contextmanager
def memory_that_ends(data):
    """The address of `data` in this process, with nothing behind it: reading on is EIO."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    size = 64 * MIB  # the second half is given back; nobody takes it so soon
    start_of = libc.mmap(None, size, 3, 0x22, -1, 0)
    middle = start_of + size // 2
    libc.munmap(middle, size // 2)
    ctypes.memmove(middle - len(data), data, len(data))
    yield middle - len(data)
    libc.munmap(start_of, size // 2)


def nonblocking(command, data, env=None):
    """Both ends not blocking, a writer and a reader that pause."""
    (reader, writer), (out_reader, out_writer) = os.pipe(), os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(out_writer, False)
    begun = start(*command, stdin=reader, stdout=out_writer, env=env)
    os.close(reader), os.close(out_writer)

    def feed():
        time.sleep(0.3)
        for at in range(0, len(data), len(data) // 4 + 1):
            write_all(writer, data[at:at + len(data) // 4 + 1])
            time.sleep(0.1)
        os.close(writer)

    threading.Thread(target=feed).start()
    time.sleep(0.5)
    out = b""
    while piece := os.read(out_reader, 50_000):
        out += piece
        time.sleep(0.01)
    os.close(out_reader)
    equal(begun.wait(timeout=20), 0, command[0])
    return out


def write_all(file, data):
    view = memoryview(data)
    while view:
        view = view[os.write(file, view):]


def tool_on(name, file):
    return finish(start(name, stdin=file, stdout=subprocess.DEVNULL, stderr=-1)).status


def sleeping(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0] == "S"


def main():
    room = Room()
    try:
        tests = Tests(room)
        for size in (11 * MIB, 3 * MIB):
            room.sealed(size)
        return run_all([(name, getattr(tests, name)) for name in dir(tests)
                        if name.startswith("test_")])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
