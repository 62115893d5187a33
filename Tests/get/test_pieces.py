"""One large object by several requests at once, against a server that fails as told."""

import os
import pathlib
import re
import signal
import subprocess
import threading
import time

from harness import BUCKET, GetTest, main

MIB = 1 << 20
URL = f"s3://{BUCKET}/a.vault"
COMPLETE = b"Z\x00\x00\x00\x00\x00\x00\x18"  # the header of an end frame
OPENING, PIECE = 16 * MIB, 8 * MIB


class PieceTest(GetTest):
    data = os.urandom(50 * MIB)
    object = None

    def setUp(self):
        if not self.object:
            type(self).object = self.sealed(self.data)
        self.requests = 1 - (OPENING - len(self.object)) // PIECE

    def begun(self, *rules, **settings):
        self.serve(*rules, **settings)
        self.store("a.vault", self.object)

    def fetched(self, *rules, arguments=(), **settings):
        self.begun(*rules, **settings)
        return self.get(*arguments, URL)

    def same(self, answer, requests=None):
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertTrue(answer.stdout == self.object)
        report = self.report()
        self.assertTrue(report["clean"], report["violations"])
        if requests:
            self.assertEqual(report["requests"], {"GetObject": requests})

    def ended(self, answer, code):
        """What came is a beginning of the object, of whole frames, and then an abort."""
        self.assertEqual(answer.returncode, code, answer.stderr)
        self.assertNotIn(COMPLETE, answer.stdout)
        frames = answer.stdout.rindex(b"X\x00") if b"X\x00" in answer.stdout[-300:] else None
        self.assertTrue(self.object.startswith(answer.stdout[:frames or -300]))
        self.assertEqual(self.opened(answer.stdout).returncode, 66)


class Pieces(PieceTest):
    def test_a_large_object_is_its_own_bytes(self):
        self.same(self.fetched(), self.requests)
        for jobs in "2", "3", "64":
            self.same(self.fetched(arguments=("--jobs", jobs)), self.requests)

    def test_one_job_is_one_request(self):
        self.same(self.fetched(arguments=("--jobs", "1")), 1)

    def test_R06_pieces_that_break_are_continued(self):
        for rule in [{"action": "truncate", "count": 3}, {"action": "truncate", "how": "rst"},
                     {"action": "reset-before", "count": 2}, {"action": "truncate", "nth": 1},
                     {"action": "status", "status": 503, "code": "SlowDown"}]:
            self.same(self.fetched({"match": "GetObject", "nth": 3, **rule}))

    def test_R06_a_piece_that_never_comes_ends_it(self):
        rule = {"match": "GetObject", "nth": 4, "count": 0, "action": "truncate", "bytes": 0}
        self.ended(self.fetched(rule, arguments=("--retries", "1")), 75)

    def test_R07_an_object_that_changes_in_between_is_no_object(self):
        for nth in 2, 4:
            self.ended(self.fetched({"match": "GetObject", "nth": nth, "action": "swap-object",
                                     "times": MIB}), 69)

    def test_R03_a_server_that_ignores_ranges_gives_no_byte_twice(self):
        self.same(self.fetched({"match": "GetObject", "count": 0, "action": "ignore-range"}), 1)
        for nth in 2, 3:
            self.same(self.fetched({"match": "GetObject", "nth": nth, "count": 0,
                                    "action": "ignore-range"}))

    def test_R05_a_wrong_content_range_is_refused(self):
        size = len(self.object)
        for text in "bytes 0-99/100", f"bytes {OPENING}-{size - 1}/{size}":
            self.ended(self.fetched({"match": "GetObject", "nth": 2, "count": 0, "action": "rewrite",
                                     "headers": {"Content-Range": text}}), 69)

    def test_without_a_tag_it_is_one_stream(self):
        for tag in None, 'W/"x"':
            self.same(self.fetched({"match": "GetObject", "action": "rewrite", "count": 0,
                                    "headers": {"ETag": tag}}), 2)

    def test_max_bytes_refuses_with_one_request(self):
        answer = self.fetched(arguments=("--max-bytes", "20MiB"))
        self.assertEqual(answer.returncode, 65)
        self.assertEqual(self.report()["requests"], {"GetObject": 1})

    def test_any_object_and_a_presigned_url_come_in_pieces(self):
        self.begun(verify=False)
        (self.room / "url").write_text(f"{self.server.url}/{BUCKET}/a.vault\n")
        answer = self.get("--url-file", "url")
        self.assertTrue(answer.returncode == 0 and answer.stdout == self.object, answer.stderr)
        answer = self.get("--as", "plain", "--url-file", "url")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.report()["requests"]["GetObject"], 2 * self.requests)
        self.assertIn(self.object[20 * MIB:20 * MIB + 100], answer.stdout)

    def test_a_silent_server_is_given_up(self):
        rule = {"match": "GetObject", "nth": 3, "count": 0, "action": "silent"}
        self.ended(self.fetched(rule, arguments=("--retries", "0")), 75)


class Ends(PieceTest):
    """How it ends when others want it to, and what it holds meanwhile."""

    def begin(self, *arguments):
        return subprocess.Popen(["vault-get", *arguments, URL], cwd=self.room, env=self.env,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def until_requests(self, count):
        end = time.monotonic() + 60
        while self.report()["requests"].get("GetObject", 0) < count:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_a_signal_ends_all_requests(self):
        for number in signal.SIGTERM, signal.SIGINT:
            self.begun({"match": "GetObject", "nth": 3, "count": 0, "action": "silent"})
            run = self.begin()
            threading.Timer(0, lambda: (self.until_requests(4), run.send_signal(number))).start()
            out, said = run.communicate(timeout=60)
            self.assertEqual(run.returncode, -number, said)
            self.assertNotIn(COMPLETE, out)
            self.assertEqual(self.opened(out).returncode, 66)

    def test_a_reader_that_leaves_ends_it_without_a_word(self):
        self.begun()
        run = self.begin()
        run.stdout.read(20 * MIB)
        run.stdout.close()
        self.assertEqual((run.wait(timeout=60), run.stderr.read()), (74, b""))
        run.stderr.close()

    def test_the_memory_is_that_of_the_pieces(self):
        self.begun()
        for jobs in 2, 4:
            run = self.begin("--jobs", str(jobs))
            self.until_requests(1 + jobs)
            time.sleep(1)  # as much is read ahead as may be
            come = run.stdout.read(len(self.object) - 4 * MIB)  # the rest is still to be written
            status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
            come += run.stdout.read()
            run.stdout.close()
            run.stderr.close()
            self.assertTrue(run.wait(timeout=60) == 0 and come == self.object)
            held = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
            self.assertLess(held, (24 + 8 * jobs) * 1024)
            self.assertGreater(held, 8 * jobs * 1024)


if __name__ == "__main__":
    main(__name__)
