"""vault-get against a server that fails as told: broken connections, wrong answers, other objects."""

import os

from harness import BUCKET, GetTest, main, run

URL = f"s3://{BUCKET}/a.vault"
DATA = os.urandom(3_000_000)
COMPLETE = b"Z\x00\x00\x00\x00\x00\x00\x18"  # the header of an end frame


class Whole(GetTest):
    def fetched(self, *rules, arguments=(), size=len(DATA), **settings):
        self.serve(*rules, **settings)
        self.object = self.sealed(DATA[:size])
        self.store("a.vault", self.object)
        return self.get(*arguments, URL)

    def same(self, answer):
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(answer.stdout, self.object)
        self.assertTrue(self.report()["clean"], self.report()["violations"])

    def test_an_object_is_its_own_bytes(self):
        self.same(self.fetched())
        self.assertEqual(self.report()["requests"], {"GetObject": 1})

    def test_R06_a_closed_connection_is_continued_where_it_stopped(self):
        self.same(self.fetched({"match": "GetObject", "action": "truncate", "bytes": 1_000_001,
                                "count": 2}))
        self.assertEqual(self.report()["requests"], {"GetObject": 3})

    def test_R06_a_reset_connection_is_continued(self):
        self.same(self.fetched({"match": "GetObject", "action": "truncate", "how": "rst"}))

    def test_R10_an_answer_that_breaks_after_its_last_byte_is_whole(self):
        size = len(self.sealed(DATA))
        for how in "rst", "fin":
            self.same(self.fetched({"match": "GetObject", "action": "truncate", "bytes": size,
                                    "how": how, "count": 0}))
            self.assertEqual(self.report()["requests"], {"GetObject": 1})

    def test_R06_a_connection_that_always_breaks_gives_no_end(self):
        answer = self.fetched({"match": "GetObject", "action": "truncate", "bytes": 0, "count": 0},
                              arguments=("--retries", "1"))
        self.assertEqual(answer.returncode, 75)
        self.assertNotIn(COMPLETE, answer.stdout)

    def test_R07_an_object_that_changed_in_between_is_no_object(self):
        answer = self.fetched({"match": "GetObject", "action": "truncate"},
                              {"match": "GetObject", "nth": 2, "action": "swap-object",
                               "times": 1_000_000})
        self.assertEqual(answer.returncode, 69, answer.stderr)
        self.assertIn(b"not the same any more", answer.stderr)
        self.assertNotIn(COMPLETE, answer.stdout)
        self.assertEqual(self.opened(answer.stdout).returncode, 66)

    def test_R03_a_server_that_ignores_ranges_gives_no_byte_twice(self):
        self.same(self.fetched({"match": "GetObject", "action": "truncate"},
                               {"match": "GetObject", "nth": 2, "action": "ignore-range"}))

    def test_R05_the_unit_of_a_content_range_has_no_case(self):
        size = len(self.sealed(DATA))
        start = size // 2
        for text in f"Bytes {start}-{size - 1}/{size}", f"bytes  {start}-{size - 1}/*":
            self.same(self.fetched(
                {"match": "GetObject", "action": "truncate"},
                {"match": "GetObject", "nth": 2, "action": "rewrite",
                 "headers": {"Content-Range": text}}))

    def test_a_wrong_content_range_is_refused(self):
        answer = self.fetched(
            {"match": "GetObject", "action": "truncate"},
            {"match": "GetObject", "nth": 2, "count": 0, "action": "rewrite",
             "headers": {"Content-Range": "bytes 0-99/100"}})
        self.assertEqual(answer.returncode, 69)
        self.assertNotIn(COMPLETE, answer.stdout)

    def test_without_a_tag_nothing_is_continued(self):
        answer = self.fetched({"match": "GetObject", "action": "rewrite", "headers": {"ETag": None}})
        self.same(answer)

    def test_another_size_behind_the_same_tag_is_refused(self):
        answer = self.fetched(
            {"match": "GetObject", "action": "truncate", "bytes": 100},
            {"match": "GetObject", "nth": 2, "action": "rewrite",
             "headers": {"Content-Range": "bytes 100-199/200", "Content-Length": None}})
        self.assertNotEqual(answer.returncode, 0)

    def test_a_silent_server_is_given_up(self):
        answer = self.fetched({"match": "GetObject", "action": "silent", "count": 0},
                              arguments=("--retries", "0"), size=10)
        self.assertEqual(answer.returncode, 75, answer.stderr)

    def test_refusals_have_their_codes(self):
        for code, status, exit in [("NoSuchKey", 404, 69), ("AccessDenied", 403, 77),
                                   ("NoSuchBucket", 404, 69), ("SlowDown", 503, 75)]:
            answer = self.fetched({"match": "GetObject", "action": "status", "status": status,
                                   "code": code, "count": 0}, arguments=("--retries", "0"), size=9)
            self.assertEqual(answer.returncode, exit, code)

    def test_max_bytes_refuses_before_a_byte_goes_out(self):
        answer = self.fetched(arguments=("--max-bytes", "1000"))
        self.assertEqual(answer.returncode, 65)
        self.assertLess(len(answer.stdout), 200)

    def test_an_encoded_answer_stays_encoded(self):
        self.same(self.fetched({"match": "GetObject", "action": "rewrite",
                                "headers": {"Content-Encoding": "gzip"}}))


class Plain(GetTest):
    def plain(self, *rules, body=DATA, **settings):
        self.serve(*rules, **settings)
        self.store("legacy", body)
        return self.get("--as", "plain", f"s3://{BUCKET}/legacy")

    def back(self, stream):
        sealed = run("vault-seal", "-R", "team", stdin=stream, cwd=self.room)
        return self.opened(sealed.stdout)

    def test_what_is_not_sealed_is_65(self):
        self.serve()
        for body in b"", b"x", b"VAULT", os.urandom(100), self.sealed(b"x")[:-1]:
            self.store("a.vault", body)
            self.assertIn(self.get(URL).returncode, (65, 66))

    def test_R01_an_empty_object_is_empty(self):
        answer = self.plain(body=b"")
        self.assertEqual((answer.returncode, answer.stderr), (0, b""))
        self.assertEqual(self.back(answer.stdout).stdout, b"")

    def test_the_bytes_and_their_origin_come(self):
        answer = self.plain({"match": "GetObject", "action": "truncate"})
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.back(answer.stdout).stdout, DATA)
        self.assertIn(b"\nsource-bytes 3000000\n", answer.stdout[:400])
        self.assertIn(b"\nsource-etag ", answer.stdout[:400])

    def test_R06_no_end_without_every_byte(self):
        answer = self.plain({"match": "GetObject", "action": "truncate", "count": 0, "bytes": 0})
        self.assertEqual(answer.returncode, 75)
        self.assertEqual(run("vault-hash", "--framed", stdin=answer.stdout).returncode, 66)


class Ranges(GetTest):
    def test_ranges_cost_what_they_touch(self):
        self.serve()
        data = os.urandom(20_000_000)
        body = self.sealed(data)
        self.store("a.vault", body)
        for asked, first, end in [("0-0", 0, 1), ("1000000-1999999", 1_000_000, 2_000_000),
                                  ("19999990-", 19_999_990, 20_000_000),
                                  ("-5", 19_999_995, 20_000_000), ("0-99999999", 0, 20_000_000)]:
            before = self.report()
            answer = self.get("--range", asked, URL)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            after = self.report()
            requests = after["requests"]["GetObject"] - before["requests"].get("GetObject", 0)
            self.assertLessEqual(requests, 4)
            self.assertNotIn("HeadObject", after["requests"])
            touched = ((end - 1) // 16384 - first // 16384 + 1) * 16400
            self.assertLessEqual(len(answer.stdout), touched + touched // 65536 + 65536)
            self.assertEqual(self.opened(answer.stdout, "--range", asked).stdout, data[first:end])

    def test_a_range_survives_what_breaks(self):
        data = DATA
        for rule in [{"action": "truncate", "count": 3}, {"action": "ignore-range", "count": 0},
                     {"action": "ignore-range", "nth": 2}, {"action": "reset-before", "count": 2}]:
            self.serve({"match": "GetObject", **rule})
            self.store("a.vault", self.sealed(data))
            answer = self.get("--range", "1000000-1999999", URL)
            self.assertEqual(answer.returncode, 0, (rule, answer.stderr))
            out = self.opened(answer.stdout, "--range", "1000000-1999999").stdout
            self.assertEqual(out, data[1_000_000:2_000_000])

    def test_R07_a_range_of_a_changed_object_is_refused(self):
        self.serve({"match": "GetObject", "nth": 2, "action": "swap-object", "times": 1_000_000})
        self.store("a.vault", self.sealed(DATA))
        answer = self.get("--range", "1000000-1999999", URL)
        self.assertEqual(answer.returncode, 69)
        self.assertEqual(self.opened(answer.stdout, "--range", "1000000-1999999").stdout, b"")

    def test_R08_a_range_past_the_end_is_an_error_at_once(self):
        self.serve()
        self.store("a.vault", self.sealed(b"x" * 100))
        answer = self.get("--range", "100-", URL)
        self.assertEqual(answer.returncode, 65)
        self.assertIn(b"begins past the end", answer.stderr)
        opened = self.opened(answer.stdout, "--range", "100-")
        self.assertEqual((opened.returncode, opened.stdout), (65, b""))

    def test_R01_the_last_bytes_of_an_empty_item_are_none(self):
        self.serve()
        self.store("a.vault", self.sealed(b""))
        answer = self.get("--range", "-5", URL)
        self.assertEqual(answer.returncode, 0)
        opened = self.opened(answer.stdout, "--range", "-5")
        self.assertEqual((opened.returncode, opened.stdout), (0, b""))
        self.store("a.vault", b"")
        self.assertEqual(self.get("--range", "0-1", URL).returncode, 65)


class Urls(GetTest):
    def fetch(self, url, *arguments):
        (self.room / "url").write_text(url + "\n")
        return self.get(*arguments, "--url-file", "url")

    def test_a_url_is_a_secret(self):
        self.serve()
        answer = self.get(f"{self.server.url}/a?sig=SECRET")
        self.assertEqual(answer.returncode, 64)
        answer = self.fetch(f"{self.server.url}/{BUCKET}/none?X-Amz-Signature=SECRET")
        self.assertNotEqual(answer.returncode, 0)
        self.assertNotIn(b"SECRET", answer.stderr + answer.stdout)

    def test_a_presigned_url_is_read_and_ranged(self):
        self.serve(verify=False)
        body = self.sealed(DATA)
        self.store("a.vault", body)
        url = f"{self.server.url}/{BUCKET}/a.vault"
        self.assertEqual(self.fetch(url).stdout, body)
        sliced = self.fetch(url, "--range", "5-9")
        self.assertEqual(self.opened(sliced.stdout, "--range", "5-9").stdout, DATA[5:10])
        read, write = os.pipe()
        os.write(write, url.encode())
        os.close(write)
        self.assertEqual(self.get("--url-fd", str(read), fds=(read,)).stdout, body)
        os.close(read)

    def test_a_download_link_is_followed_without_the_token(self):
        self.serve({"match": "GetObject", "action": "rewrite",
                    "headers": {"Content-Type": "application/json"}}, verify=False)
        url = f"{self.server.url}/{BUCKET}/"
        self.store("api", b'{"downloadUrl": "%s"}' % (url + "legacy?x=1").encode())
        self.store("legacy", DATA)
        (self.room / "token").write_text("TOKEN\n")
        answer = self.fetch(url + "api", "--as", "plain", "--bearer-file", "token")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn(DATA[:1000], answer.stdout)
        self.assertEqual(self.report()["requests"]["GetObject"], 2)


if __name__ == "__main__":
    main(__name__)
