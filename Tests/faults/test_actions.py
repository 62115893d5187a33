"""Each fault of the fault server, against boto3 where it can show it and a bare socket where not."""

import http.client
import os
import socket
import time

from botocore.exceptions import ConnectionError, HTTPClientError

from harness import BUCKET, KEY, PART, FaultServerTest, Server, s3


class Faults(FaultServerTest):
    def dies(self, call, *arguments, **more):
        with self.assertRaises((ConnectionError, HTTPClientError)):
            call(*arguments, **more)

    def test_each_reset_breaks_the_put_and_stores_nothing(self):
        for action in ("reset-before", "reset-in-body", "reset-after"):
            with self.subTest(action):
                client = self.serve({"match": "PutObject", "action": action})
                self.dies(self.put, client, os.urandom(8 << 20))
                self.assertEqual(self.report()["objects"], {})
                self.put(client, b"again")

    def test_a_lost_answer_was_applied(self):
        client = self.serve({"match": "PutObject", "action": "lose-answer"})
        self.dies(self.put, client)
        self.assertEqual(len(self.report()["objects"]), 1)

    def test_nth_and_count_choose_the_request(self):
        client = self.serve({"match": "PutObject", "nth": 2, "count": 2, "action": "status",
                             "status": 503, "code": "SlowDown", "retry_after": 7})
        self.put(client)
        for _ in range(2):
            answer = self.refused("SlowDown", self.put, client)
            self.assertEqual(answer["ResponseMetadata"]["HTTPHeaders"]["retry-after"], "7")
        self.put(client)

    def test_a_rule_can_name_a_part_and_a_token(self):
        rules = [{"match": "UploadPart", "part": 2, "action": "status", "status": 507,
                  "code": "XMinioStorageFull"},
                 {"when_token": "old", "count": 0, "action": "status", "status": 400,
                  "code": "ExpiredToken"}]
        client = self.serve(*rules)
        uid, _ = self.upload(client, b"x")
        self.refused("XMinioStorageFull", self.part, client, uid, 2, b"x")
        self.refused("ExpiredToken", self.put, s3(self.server.url, token="old"))
        self.put(s3(self.server.url, token="new"))

    def test_complete_can_answer_200_with_an_error(self):
        client = self.serve({"match": "Complete", "action": "error-200"})
        uid, parts = self.upload(client, b"x")
        self.refused("InternalError", self.complete, client, uid, parts)
        self.assertEqual(self.report()["objects"], {})

    def test_white_space_may_come_before_the_answer(self):
        client = self.serve({"match": "Complete", "action": "slow-space", "seconds": 0.3})
        uid, parts = self.upload(client, b"x")
        self.assertIn("ETag", self.complete(client, uid, parts))

    def test_interim_answers_come_before_the_real_one(self):
        self.serve({"action": "interim"}, verify=False, keep_alive=False)
        answer = self.raw(b"HEAD /vault-test/k HTTP/1.1\r\nHost: x\r\n\r\n")
        codes = [line.split()[1] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/")]
        self.assertEqual(codes, [b"100", b"102", b"103", b"404"])

    def test_continue_is_sent_unless_told_otherwise(self):
        head = b"PUT /vault-test/k HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
        self.serve(verify=False, keep_alive=False)
        self.assertTrue(self.raw(head + b"x").startswith(b"HTTP/1.1 100"))
        self.serve({"action": "no-continue"}, verify=False, keep_alive=False)
        self.assertTrue(self.raw(head + b"x").startswith(b"HTTP/1.1 200"))

    def test_an_early_answer_does_not_wait_for_the_body(self):
        self.serve({"action": "early", "status": 403, "code": "AccessDenied", "seconds": 1})
        answer = self.raw(b"PUT /vault-test/k HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 403"))

    def test_an_answer_may_never_come(self):
        for action in ("hang", "silent"):
            self.serve({"match": "HeadObject", "action": action})
            begun = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=0.3)
            connection.request("HEAD", "/vault-test/k")
            with self.assertRaises(TimeoutError):
                connection.getresponse()
            self.assertLess(time.monotonic() - begun, 5)

    def test_a_truncated_get_is_short(self):
        client = self.serve({"match": "GetObject", "action": "truncate", "bytes": 60})
        self.put(client, b"x" * 100)
        with self.assertRaises(Exception):
            client.get_object(Bucket=BUCKET, Key=KEY)["Body"].read()

    def test_a_wrong_etag_is_not_the_real_one(self):
        client = self.serve({"match": ["PutObject", "Complete"], "count": 2, "action": "wrong-etag"})
        self.assertIn("bad", self.put(client)["ETag"])
        uid, parts = self.upload(client, b"x")
        self.assertIn("bad", self.complete(client, uid, parts)["ETag"])

    def test_pages_can_be_endless(self):
        for advance in (False, True):
            client = self.serve({"match": "ListParts", "count": 0, "action": "endless-pages",
                                 "advance": advance})
            uid, _ = self.upload(client, b"x", b"y")
            for marker in (0, 1, 2):
                page = client.list_parts(Bucket=BUCKET, Key=KEY, UploadId=uid,
                                         PartNumberMarker=marker)
                self.assertTrue(page["IsTruncated"])
                self.assertEqual(page["NextPartNumberMarker"], marker + 1 if advance else 0)

    def test_an_object_can_change_between_two_ranges(self):
        client = self.serve({"match": "GetObject", "nth": 2, "action": "swap-object"})
        self.put(client, b"0123456789")
        etag = client.get_object(Bucket=BUCKET, Key=KEY, Range="bytes=0-1")["ETag"]
        self.refused("PreconditionFailed", client.get_object, Bucket=BUCKET, Key=KEY,
                     Range="bytes=2-3", IfMatch=etag)

    def test_a_range_can_be_ignored_and_headers_rewritten(self):
        client = self.serve({"match": "GetObject", "action": "ignore-range"},
                            {"match": "GetObject", "nth": 2, "action": "rewrite",
                             "headers": {"content-range": "Bytes 2-3/*", "ETag": None}})
        self.put(client, b"0123456789")
        whole = client.get_object(Bucket=BUCKET, Key=KEY, Range="bytes=2-3")
        self.assertEqual(whole["Body"].read(), b"0123456789")
        answer = client.get_object(Bucket=BUCKET, Key=KEY, Range="bytes=2-3")
        self.assertEqual(answer["ContentRange"], "Bytes 2-3/*")
        self.assertNotIn("ETag", answer)

    def test_idle_connections_close(self):
        self.serve(idle_seconds=0.2, verify=False)
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as sock:
            sock.sendall(b"HEAD /vault-test/k HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b"404", sock.recv(4096))
            self.assertEqual(sock.recv(4096), b"")

    def test_an_answer_can_come_unasked(self):
        self.serve({"action": "unasked", "seconds": 0.2}, verify=False)
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as sock:
            sock.sendall(b"HEAD /vault-test/k HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b"404", sock.recv(4096))
            self.assertIn(b"408", sock.recv(4096))

    def test_a_port_refuses(self):
        self.serve()
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.server.refusing_port))

    def test_an_error_can_echo_what_it_was_sent(self):
        client = self.serve({"action": "status", "status": 403, "code": "AccessDenied",
                             "echo": True})
        answer = self.refused("AccessDenied", self.put, client)
        self.assertIn("Signature=", answer["Error"]["Message"])

    def test_an_unknown_setting_or_action_is_an_error(self):
        for settings in ({"ruels": []}, {"rules": [{"action": "explode"}]}):
            with self.assertRaises(ValueError):
                Server(settings)


class Proxy(FaultServerTest):
    def test_faults_come_between_a_client_and_a_real_server(self):
        real = Server({"allow": ["expect"]}).start()
        self.addCleanup(real.close)
        client = self.serve({"match": "Complete", "action": "lose-answer"}, upstream=real.url)
        bodies = [os.urandom(PART), b"tail"]
        uid, parts = self.upload(client, *bodies)
        with self.assertRaises((ConnectionError, HTTPClientError)):
            self.complete(client, uid, parts)
        got = client.get_object(Bucket=BUCKET, Key=KEY, Range="bytes=1-")["Body"].read()
        self.assertEqual(got, b"".join(bodies)[1:])
        self.assertEqual(client.head_object(Bucket=BUCKET, Key=KEY)["ContentLength"], PART + 4)
        client.delete_object(Bucket=BUCKET, Key=KEY)
        self.assertTrue(self.report()["clean"])
        self.assertEqual(real.violations, [])
