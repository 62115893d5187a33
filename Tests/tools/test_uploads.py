"""test_uploads.py [WORD…]: parts, keys, requests and memory of vault-put. Names begin with ids of docs/CASES.md."""

import contextlib
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import streams
from room import MIB, ROOT, Room, clean_environment, equal, finish, peak, put, resident, run_all, \
    start, tool, until

from fault_server import Server  # room knows where it is

KEYS = ["C++ notes.txt", "a+b", "a%2Bb", "a b", "a%20b", "a=b&c", "~*()!'", "/a", "//a", "a//b", "a/",
        "a/../b", "./a", "..", ".", "?x=y", "#frag", "a?uploads", 'Net & Works<x>"y', "é/日本/🎈", "é",
        "e\u0301", "\\back\\slash", "a;b,c:d@e$f", "|^`[]", "tab\there", " lead and trail ", "%", "%zz",
        "a" * 1024]
GOOD = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "testkey",
        "AWS_SECRET_ACCESS_KEY": "testsecretkey0123456789"}


class Tests:
    def __init__(self, room):
        self.room = room

    @contextlib.contextmanager
    def serving(self, *rules, context=None, **settings):
        server = Server({"rules": list(rules), "expect": ["if-none-match", "token"], **settings},
                        context=context).start()
        try:
            yield server, clean_environment(AWS_ENDPOINT_URL_S3=server.url, **GOOD)
        finally:
            server.close()

    def stored(self, server, done, vault, key="x", bucket="vault-test"):
        report = server.report()
        equal((done.status, done.err), (0, ""), f"exit and words; {report['requests']}")
        equal([report["violations"], report["open_uploads"]], [[], []])
        equal(list(server.backend.objects), [(bucket, key)], "keys")
        equal(server.backend.objects[bucket, key].body == vault, True, "the object")

    # ---- parts

    def test_m01_an_empty_item_is_one_put_and_no_upload(self):
        vault, stream = self.room.sealed(0)
        with self.serving() as (server, env):
            done = put(stream, "s3://vault-test/x", env=env)
            self.stored(server, done, vault)
            equal(server.report()["requests"], {"HeadObject": 2, "PutObject": 1})
            equal([done.receipt["data_bytes"], done.receipt["parts"]], [0, 1])

    def test_m02_more_parts_than_allowed_are_refused_and_leave_nothing(self):
        vault = self.room.sealed(11 * MIB)[0]
        chunk = finish(start("vault-chunk", "--part-size", "5MiB", "--max-parts", "2", stdin=-1,
                             stdout=-1, stderr=-1), vault)
        equal(chunk.status, 65)
        with self.serving() as (server, env):
            done = put(chunk.out, "s3://vault-test/x", env=env)
            equal([done.status, done.receipt["status"]], [66, "incomplete"])
            equal([server.report()["objects"], server.report()["open_uploads"]], [{}, []])

    def test_m04_lengths_at_the_borders_of_chunks_and_parts(self):
        sizes = [0, 1, *(n * 16384 + d for n in (1, 2, 64) for d in (-1, 0, 1))]
        with self.serving(min_part=0) as (server, env):
            for size in sizes:
                vault, stream = self.room.sealed(size)
                for part in {len(vault), len(vault) - 1, len(vault) + 1, -(-len(vault) // 2),
                             -(-len(vault) // 3), -(-len(vault) // 40)}:
                    done = put(streams.recut(stream, part), "s3://vault-test/x", env=env)
                    equal(done.receipt["parts"], -(-len(vault) // part), f"parts of {size}")
                    found = server.backend.objects.pop(("vault-test", "x")).body
                    equal(self.room.opened(found) == self.room.data(size), True, f"{size} {part}")
            equal(server.report()["open_uploads"], [])

    def test_m09_a_signal_takes_the_upload_back_though_abort_fails_once(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            slow = {"match": "UploadPart", "action": "slow-read", "bytes_per_second": 1 << 20, "count": 0}
            with self.serving(slow, {"match": "Abort", "action": "status", "status": 500}) as (server, env):
                begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
                begun.stdin.write(self.room.sealed(11 * MIB)[1][:-1])
                begun.stdin.flush()
                until(lambda s=server: s.report()["requests"].get("UploadPart", 0) >= 2)
                begun.send_signal(number)
                begun.wait(timeout=20)
                done = finish(begun)
                equal([done.status, done.receipt["status"]], [-number, "cancelled"])
                equal(server.report()["requests"]["Abort"], 2, "aborts")
                equal([server.report()["objects"], server.report()["open_uploads"]], [{}, []])

    def test_m17_a_listing_of_several_pages_is_read_to_its_end(self):
        done, report = self.resumed(lambda server: None, page_size=2)
        equal(done.status, 0, done.err)
        equal(report["requests"].get("UploadPart", 0), 0, "parts sent again")

    def test_m19_a_listing_without_an_end_is_an_error(self):
        for advance in (False, True):
            rule = {"match": "ListParts", "action": "endless-pages", "advance": advance, "count": 0}
            done, report = self.resumed(lambda server, r=rule: server.script.rules.append(
                {**r, "seen": 0}))
            equal(done.status in (69, 75), True, f"{done.status} {done.err}")
            equal(report["requests"].get("Complete", 0), 0)
            assert report["requests"]["ListParts"] < 30, report["requests"]

    def test_m21_after_a_kill_every_part_that_is_not_proven_is_sent_again(self):
        def forget(server):
            upload = next(iter(server.backend.uploads.values()))
            del upload.parts[2]
        done, report = self.resumed(forget)
        equal(done.status, 0, done.err)
        equal(report["requests"]["UploadPart"], 1, "parts sent again")

    def resumed(self, change, **settings):
        """A run that is killed before it commits, a change, and another run with the same state."""
        vault, stream = self.room.sealed(11 * MIB)
        state = self.room.directory() / "state"
        # Five parts of 3 MiB or less, so that a page can end before them all.
        stream = streams.recut(stream, 9 * MIB // 4)
        hang = {"match": "Complete", "action": "hang", "seconds": 60}
        with self.serving(hang, min_part=0, **settings) as (server, env):
            command = ["vault-put", "--retries", "1", "--state", str(state), "s3://vault-test/x"]
            begun = start(*command, env=env, stdin=-1, stdout=-1, stderr=-1)
            begun.stdin.write(stream)
            begun.stdin.close()
            begun.stdin = None
            until(lambda: server.report()["requests"].get("Complete"))
            begun.kill()
            finish(begun)
            server.script.rules.clear()
            server.requests.clear()
            change(server)
            done = put(stream, *command[1:], env=env)
            if not done.status:
                self.stored(server, done, vault)
            return done, server.report()

    def test_m22_answers_with_a_damaged_key_still_name_the_upload(self):
        key = 'Net & Works<x>"y'
        for answer in ("<Key>Net & Works<x>\"y</Key>", "<Key>Net &amp;amp; Works</Key>", "<Key/>"):
            body = ('<?xml version="1.0" encoding="UTF-8"?>\n<InitiateMultipartUploadResult>'
                    f"<Bucket>vault-test</Bucket>{answer}<UploadId>some-upload</UploadId>"
                    "</InitiateMultipartUploadResult>")
            rule = {"match": "Create", "action": "status", "status": 200, "body": body, "count": 0}
            with self.serving(rule) as (server, env):
                done = put(self.room.sealed(11 * MIB)[1], "--retries", "0", f"s3://vault-test/{key}",
                           env=env)
                # The upload is unknown to the server: its parts are refused, or the answer was.
                equal(done.status in (69, 75), True, f"{done.status} {done.err}")
                equal(done.receipt["status"], "failed")

    def test_m22_a_key_with_marks_of_xml(self):
        key = 'Net & Works<x>"y'
        vault, stream = self.room.sealed(11 * MIB)
        with self.serving() as (server, env):
            self.stored(server, put(stream, f"s3://vault-test/{key}", env=env), vault, key)

    def test_h28_upload_ids_with_plus_slash_and_equals(self):
        vault, stream = self.room.sealed(11 * MIB)
        with self.serving() as (server, env):  # this server's ids end with +/=
            self.stored(server, put(stream, "s3://vault-test/x", env=env), vault)

    # ---- keys and addresses

    def test_h07_h09_keys_arrive_byte_for_byte(self):
        vault, stream = self.room.sealed(1000)
        for key in KEYS:
            with self.serving() as (server, env):
                done = put(stream, f"s3://vault-test/{key}", env=env)
                self.stored(server, done, vault, key)
                equal(done.receipt["object"], f"s3://vault-test/{key}")

    def test_h09_a_key_that_is_too_long_is_refused_before_any_request(self):
        with self.serving() as (server, env):
            done = put(self.room.sealed(1000)[1], "s3://vault-test/" + "a" * 1025, env=env)
            equal(done.status in (64, 73), True, f"{done.status} {done.err}")
            equal(server.report()["requests"], {})

    def test_h01_a_host_whose_name_is_not_known_may_be_tried_again(self):
        with self.serving() as (_, env):
            env = {**env, "AWS_ENDPOINT_URL_S3": "http://nothing.invalid"}
            done = put(self.room.sealed(1000)[1], "--retries", "1", "s3://vault-test/x", env=env)
            equal(done.status, 75, done.err)
            equal(done.receipt["error"]["name"], "remote-failed")

    def test_h10_a_server_that_keeps_another_key_is_found_out(self):
        vault, stream = self.room.sealed(1000)
        with self.serving() as (server, env):
            put_object = server.backend.on_PutObject

            def strip(request):
                request.key = request.key.lstrip("/")
                return put_object(request)
            server.backend.on_PutObject = strip
            done = put(stream, "s3://vault-test//x", env=env)
            equal([done.status, done.receipt["status"]], [75, "unknown"])
            assert "nothing lies under its name" in done.err, done.err

    def test_h17_a_bucket_with_dots_over_tls_is_addressed_by_path(self):
        vault, stream = self.room.sealed(1000)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(["bash", "-c", f". {ROOT}/Tests/servers/lib.sh; make_certificate {place}"],
                           check=True, capture_output=True)
            context.load_cert_chain(f"{place}/server.pem", f"{place}/server.key")
            with self.serving(context=context, buckets=["a.b.c"]) as (server, env):
                done = put(stream, "--retries", "0", "s3://a.b.c/x", env=env)
                equal(done.status, 78, f"without the authority: {done.err}")
                done = put(stream, "s3://a.b.c/x", env={**env, "AWS_CA_BUNDLE": f"{place}/ca.pem"})
                equal((done.status, done.err), (0, ""))
                equal(server.backend.objects["a.b.c", "x"].body == vault, True)

    def test_h20_what_is_not_stored_is_not_0(self):
        with self.serving() as (server, env):
            for bad in ({"AWS_SECRET_ACCESS_KEY": "no"}, {"AWS_ACCESS_KEY_ID": "nobody"}):
                done = put(self.room.sealed(1000)[1], "s3://vault-test/x", env={**env, **bad})
                equal([done.status, done.receipt["status"]], [77, "failed"])
            equal(server.report()["objects"], {})

    # ---- requests

    def test_h11_many_small_items_wait_for_no_100_continue(self):
        items = [self.room.sealed(1, seed) for seed in range(30)]
        with self.serving({"match": "*", "action": "no-continue", "count": 0}) as (server, env):
            done = put(streams.batch([stream for _, stream in items]), "s3://vault-test/{item}", env=env)
            equal([done.status, len(done.receipts)], [0, 30])
            equal(server.report()["violations"], [])  # one would be an Expect for a small body
            assert done.seconds < 30, f"{done.seconds} s for 30 small objects"

    def test_h21_lengths_and_checksums_stand_in_plain_headers(self):
        vault, stream = self.room.sealed(11 * MIB)
        with self.serving() as (server, env):  # it refuses chunked bodies and trailers
            self.stored(server, put(stream, "s3://vault-test/x", env=env), vault)

    def test_h22_each_put_and_part_carries_a_checksum(self):
        for size in (1000, 11 * MIB):
            for choice in ("sha256", "md5"):
                with self.serving() as (server, env):
                    done = put(self.room.sealed(size)[1], "--checksum", choice, "s3://vault-test/x",
                               env=env)
                    equal([done.status, server.report()["violations"]], [0, []])

    def test_h14_a_connection_that_closed_while_the_input_paused(self):
        vault, stream = self.room.sealed(11 * MIB)
        with self.serving(idle_seconds=0.3) as (server, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            for at in range(0, len(stream), 6 * MIB):
                begun.stdin.write(stream[at:at + 6 * MIB])
                begun.stdin.flush()
                time.sleep(1)
            self.stored(server, finish(begun), vault)

    def test_l04_bodies_at_the_borders_of_buffers(self):
        whole, stream = self.room.sealed(200_000)
        with self.serving(min_part=0) as (server, env):
            for part in (65535, 65536, 65537, 16384, 131072):
                done = put(streams.recut(stream, part), "s3://vault-test/x", env=env)
                equal(done.status, 0, done.err)
                equal(server.backend.objects.pop(("vault-test", "x")).body == whole, True, f"{part}")

    # ---- memory

    def test_x01_a_small_item_needs_little_memory(self):
        with self.serving() as (server, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            begun.stdin.write(self.room.sealed(1)[1][:-1])
            begun.stdin.flush()
            time.sleep(0.3)
            assert peak(begun) < 24 << 10, f"{peak(begun)} KiB"
            equal(finish(begun, self.room.sealed(1)[1][-1:]).status, 0)

    def test_x02_memory_is_bounded_against_a_slow_server(self):
        slow = {"match": "UploadPart", "action": "slow-read", "bytes_per_second": 8 << 20, "count": 0}
        hashed = tool("vault-hash", data=self.room.data(96 * MIB)).out
        vault = tool("vault-seal", "-r", self.room.recipient, data=hashed).out
        for memory in (16, 64):
            with self.serving(slow) as (server, env):
                begun = start("vault-put", "--memory", f"{memory}MiB", "s3://vault-test/x", env=env,
                              stdin=-1, stdout=-1, stderr=-1)
                highest = watch(begun)
                done = finish(begun, self.room.parts(vault))
                equal(done.status, 0, done.err)
                assert highest[0] < (memory + 24) << 10, f"{highest[0]} KiB with {memory} MiB"

    def test_x04_memory_is_flat_over_5000_parts(self):
        vault, stream = self.room.sealed(5000 * 1024)
        small = streams.recut(stream, len(vault) // 5000 + 1)
        with self.serving(min_part=0) as (server, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            threading.Thread(target=lambda: (begun.stdin.write(small), begun.stdin.flush())).start()
            until(lambda: server.requests["UploadPart"] > 2000, 120)
            early = resident(begun)
            until(lambda: server.requests["UploadPart"] > 4900, 120)
            late = resident(begun)
            equal(finish(begun).status, 0)
            # What is kept of a part: its digest, its tag, its number.
            assert late < early * 1.05 + 2900 * 300 // 1024, f"from {early} to {late} KiB"

    # ---- what is said

    def test_o01_success_says_nothing(self):
        with self.serving() as (_, env):
            begun = start("bash", "-c", "set -o pipefail; echo x | vault-hash | vault-seal -r "
                          f"{self.room.recipient} | vault-chunk | vault-put s3://vault-test/x",
                          env=env, stdout=-1, stderr=-1)
            done = finish(begun)
            equal((done.status, done.err, len(done.receipts)), (0, "", 1))

    def test_o02_each_kind_of_failure_has_its_exit_code(self):
        stream = self.room.sealed(1000)[1]
        with self.serving() as (server, env):
            rule = {"match": "PutObject", "action": "status", "count": 0}
            place = "s3://vault-test/x"
            for code, rules, words, data in (
                    (64, [], ["--no-such"], stream), (65, [], [place], b"x" * 100),
                    (66, [], [place], stream[:-5]), (69, [{**rule, "status": 400, "code": "InvalidArgument"}], [place], stream),
                    (75, [{**rule, "status": 503}], ["--retries", "0", place], stream),
                    (77, [{**rule, "status": 403, "code": "AccessDenied"}], [place], stream), (0, [], [place], stream),
                    (73, [], [place], stream)):
                server.script.rules[:] = [dict(r, seen=0) for r in rules]
                done = put(data, *words, env=env)
                equal(done.status, code, f"{words} {done.err}")
                equal(bool(done.err), code != 0)
            with open_directory() as directory:
                equal(put(directory, place, env=env).status, 74)
            done = put(stream, place, env={**env, "AWS_ENDPOINT_URL_S3": "ftp://x"})
            equal(done.status, 78)

    def test_o04_bad_words_are_64_and_never_a_trap(self):
        numbers = ["1e3", "-1", "99999999999999999999", "", "0x10", "1 ", "NaN", "9223372036854775808"]
        words = [["--no-such"], ["-Z"], ["--"], ["-", "-"], ["--jobs"], ["a", "b", "c"], ["\udcff"],
                 [""], ["--=x"], ["--jobs=1=2"], *([f"--jobs={n}"] for n in numbers),
                 *([f"--memory={n}"] for n in numbers), *([f"--idle-timeout={n}"] for n in numbers)]
        for name in ("vault-put", "vault-hash", "vault-seal", "vault-chunk", "vault-open", "vault-key"):
            for line in words:
                done = finish(start(name, *line, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1,
                                    cwd=self.room.directory()))
                # A word may be a good one to another tool: then its empty input is at fault.
                equal(done.status in ((64,) if "=" in "".join(line) else (0, 64, 66, 74, 78)), True,
                      f"{name} {line}: {done.status} {done.err}")
                assert "Fatal" not in done.err and "stack" not in done.err.lower(), done.err

    def test_o05_a_part_with_a_wrong_digest_ends_the_run_at_once(self):
        stream = bytearray(self.room.sealed(11 * MIB)[1])
        stream[1000] ^= 1
        with self.serving() as (server, env):
            begun = start("vault-put", "s3://vault-test/x", env=env, stdin=-1, stdout=-1, stderr=-1)
            with contextlib.suppress(BrokenPipeError):
                begun.stdin.write(stream[:-MIB])  # and not its end
                begun.stdin.flush()
            begun.wait(timeout=20)
            done = finish(begun)
            equal([done.status, done.receipt["error"]["name"]], [65, "part-mismatch"])
            equal([server.report()["objects"], server.report()["open_uploads"]], [{}, []])


@contextlib.contextmanager
def open_directory():
    file = os.open("/", os.O_RDONLY)
    yield file
    os.close(file)


def watch(process):
    """The greatest memory of a process, kept up to date while it runs; in a list."""
    highest = [0]

    def look():
        with contextlib.suppress(OSError, StopIteration):
            while process.poll() is None:
                highest[0] = max(highest[0], peak(process))
                time.sleep(0.02)
    threading.Thread(target=look, daemon=True).start()
    return highest


def main():
    room = Room()
    try:
        tests = Tests(room)
        for size in (0, 1, 1000, 11 * MIB):
            room.sealed(size)
        return run_all([(name, getattr(tests, name)) for name in dir(tests)
                        if name.startswith("test_")])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
