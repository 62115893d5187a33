"""The fault server against an independent client: boto3 where it can, a bare socket where not."""

import base64
import hashlib
import http.client
import json
import os
import socket
import sys
import time
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionError, HTTPClientError

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fault_server import Server  # noqa: E402

BUCKET, KEY = "vault-test", "a b+c/é.vault"
PART = 5 * 1024 * 1024


def s3(url, region="us-east-1", token=None, secret="testsecretkey0123456789"):
    config = Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1},
                    signature_version="s3v4", connect_timeout=5, read_timeout=5,
                    request_checksum_calculation="when_required",
                    response_checksum_validation="when_required")
    return boto3.client("s3", endpoint_url=url, config=config, region_name=region,
                        aws_access_key_id="testkey", aws_secret_access_key=secret,
                        aws_session_token=token)


def sha256(data):
    return base64.b64encode(hashlib.sha256(data).digest()).decode()


class FaultServerTest(unittest.TestCase):
    def serve(self, *rules, upstream=None, **settings):
        settings = {"rules": list(rules), "allow": ["expect"], **settings}  # boto3 always waits
        self.server = Server(settings, upstream).start()
        self.addCleanup(self.server.close)
        return s3(self.server.url)

    def put(self, client, body=b"x", key=KEY, **more):
        return client.put_object(Bucket=BUCKET, Key=key, Body=body, ChecksumSHA256=sha256(body), **more)

    def upload(self, client, *bodies, key=KEY, **more):
        uid = client.create_multipart_upload(Bucket=BUCKET, Key=key, **more)["UploadId"]
        parts = [self.part(client, uid, n, body, key) for n, body in enumerate(bodies, 1)]
        return uid, parts

    def part(self, client, uid, number, body, key=KEY):
        answer = client.upload_part(Bucket=BUCKET, Key=key, UploadId=uid, PartNumber=number,
                                    Body=body, ChecksumSHA256=sha256(body))
        return {"PartNumber": number, "ETag": answer["ETag"]}

    def complete(self, client, uid, parts, key=KEY, **more):
        return client.complete_multipart_upload(Bucket=BUCKET, Key=key, UploadId=uid,
                                                MultipartUpload={"Parts": parts}, **more)

    def refused(self, code, call, *arguments, **more):
        with self.assertRaises(ClientError) as caught:
            call(*arguments, **more)
        self.assertEqual(caught.exception.response["Error"]["Code"], code)
        return caught.exception.response

    def report(self):
        with urllib.request.urlopen(self.server.url + "/_faults/report") as answer:
            return json.load(answer)

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as sock:
            sock.sendall(text)
            return sock.makefile("rb").read()


class Store(FaultServerTest):
    def test_a_put_is_kept_and_clean(self):
        client = self.serve(expect=["token", "if-none-match"])
        self.put(client, b"hello", IfNoneMatch="*", Metadata={"vault-token": "00ff"})
        head = client.head_object(Bucket=BUCKET, Key=KEY)
        self.assertEqual((head["ContentLength"], head["Metadata"]), (5, {"vault-token": "00ff"}))
        report = self.report()
        self.assertTrue(report["clean"], report["violations"])
        self.assertEqual(report["requests"], {"PutObject": 1, "HeadObject": 1})

    def test_a_second_conditional_put_is_412(self):
        client = self.serve()
        self.put(client, b"one", IfNoneMatch="*")
        self.refused("PreconditionFailed", self.put, client, b"two", IfNoneMatch="*")
        self.assertEqual(client.get_object(Bucket=BUCKET, Key=KEY)["Body"].read(), b"one")

    def test_multipart_is_joined_in_order(self):
        client = self.serve()
        bodies = [os.urandom(PART), os.urandom(PART), b"tail"]
        uid, parts = self.upload(client, *bodies, Metadata={"vault-item": "i"})
        self.assertTrue(self.complete(client, uid, parts, IfNoneMatch="*")["ETag"].endswith('-3"'))
        self.assertEqual(client.get_object(Bucket=BUCKET, Key=KEY)["Body"].read(), b"".join(bodies))
        self.assertEqual(client.head_object(Bucket=BUCKET, Key=KEY)["Metadata"], {"vault-item": "i"})
        self.refused("NoSuchUpload", self.complete, client, uid, parts)
        self.assertTrue(self.report()["clean"])

    def test_wrong_parts_are_refused(self):
        client = self.serve()
        uid, parts = self.upload(client, b"small", b"small")
        self.refused("EntityTooSmall", self.complete, client, uid, parts)
        self.refused("InvalidPartOrder", self.complete, client, uid, parts[::-1])
        wrong = [{"PartNumber": 1, "ETag": '"0"'}]
        self.refused("InvalidPart", self.complete, client, uid, wrong)
        self.assertEqual(len(self.report()["open_uploads"]), 1)

    def test_abort_ends_an_upload(self):
        client = self.serve()
        uid, _ = self.upload(client, b"x")
        client.abort_multipart_upload(Bucket=BUCKET, Key=KEY, UploadId=uid)
        self.refused("NoSuchUpload", client.list_parts, Bucket=BUCKET, Key=KEY, UploadId=uid)
        self.assertEqual(self.report()["open_uploads"], [])

    def test_parts_are_listed_by_pages(self):
        client = self.serve(page_size=2)
        uid, _ = self.upload(client, *[b"x"] * 5)
        pages = list(client.get_paginator("list_parts").paginate(
            Bucket=BUCKET, Key=KEY, UploadId=uid))
        self.assertEqual([len(page["Parts"]) for page in pages], [2, 2, 1])

    def test_ranges_are_exact(self):
        client = self.serve()
        self.put(client, b"0123456789")
        wanted = {"bytes=0-0": b"0", "bytes=3-5": b"345", "bytes=7-": b"789", "bytes=-4": b"6789",
                  "bytes=5-99": b"56789"}
        for header, body in wanted.items():
            answer = client.get_object(Bucket=BUCKET, Key=KEY, Range=header)
            self.assertEqual((answer["Body"].read(), answer["ResponseMetadata"]["HTTPStatusCode"]),
                             (body, 206))
        self.refused("InvalidRange", client.get_object, Bucket=BUCKET, Key=KEY, Range="bytes=10-")
        self.refused("PreconditionFailed", client.get_object, Bucket=BUCKET, Key=KEY, IfMatch='"0"')


class Complaints(FaultServerTest):
    def what(self):
        return [violation["what"] for violation in self.report()["violations"]]

    def test_a_wrong_secret_is_403(self):
        self.serve()
        self.refused("SignatureDoesNotMatch", self.put, s3(self.server.url, secret="no"))
        self.assertEqual(self.what(), ["signature-differs"])

    def test_a_missing_checksum_is_reported(self):
        client = self.serve()
        client.put_object(Bucket=BUCKET, Key=KEY, Body=b"x")
        self.assertEqual(self.what(), ["no-checksum"])

    def test_a_wrong_checksum_is_400(self):
        client = self.serve()
        self.refused("BadDigest", client.put_object, Bucket=BUCKET, Key=KEY, Body=b"x",
                     ChecksumSHA256=sha256(b"y"))

    def test_an_unconditional_put_without_token_is_reported(self):
        self.put(self.serve(expect=["if-none-match", "token"]))
        self.assertEqual(self.what(), ["no-if-none-match", "no-token"])

    def test_chunked_is_refused(self):
        self.serve(verify=False)
        answer = self.raw(b"PUT /vault-test/k HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                          b"Connection: close\r\n\r\n1\r\nx\r\n0\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 501"))
        self.assertIn("chunked", self.what())

    def test_a_body_that_is_not_the_signed_one_is_400(self):
        self.serve(verify=False, keep_alive=False)
        answer = self.raw(b"PUT /vault-test/k HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
                          b"x-amz-content-sha256: " + b"0" * 64 + b"\r\n\r\nx")
        self.assertTrue(answer.startswith(b"HTTP/1.1 400"))
        self.assertIn("content-sha256-differs", self.what())

    def test_another_region_is_named(self):
        client = self.serve(region="eu-x-1")
        self.put(client)  # boto3 reads the region of the refusal and signs again
        report = self.report()
        self.assertEqual(report["requests"]["PutObject"], 2)
        self.assertTrue(report["clean"])

    def test_a_presigned_url_expires(self):
        client = self.serve()
        self.put(client, b"data")
        arguments = {"Bucket": BUCKET, "Key": KEY}
        good = client.generate_presigned_url("get_object", arguments, ExpiresIn=60)
        self.assertEqual(urllib.request.urlopen(good).read(), b"data")
        self.server.config["clock_skew"] = 120
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(good)
        self.assertEqual(caught.exception.code, 403)

    def test_a_skewed_clock_is_403_with_the_servers_date(self):
        client = self.serve(clock_skew=3600)
        answer = self.refused("RequestTimeTooSkewed", self.put, client)
        self.assertIn("date", answer["ResponseMetadata"]["HTTPHeaders"])
        self.assertTrue(self.report()["clean"])


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


if __name__ == "__main__":
    outcome = unittest.main(exit=False, verbosity=1, warnings="ignore").result
    bad = len(outcome.failures) + len(outcome.errors)
    skipped = len(outcome.skipped)
    print(f"{outcome.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad else 0)
