"""The S3 of the fault server against boto3: what it stores, and what it complains of."""

import datetime
import os
import tempfile
import unittest.mock
import urllib.request

import boto3
from botocore.config import Config

from harness import BUCKET, KEY, PART, FaultServerTest, s3, sha256

LATE = datetime.timedelta(seconds=1)


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


class Credentials(FaultServerTest):
    ISSUED = [{"access": "one", "secret": "s1", "token": "t1", "expires_in": 900},
              {"access": "two", "secret": "s2", "token": "t2"}]

    def session(self, **environment):
        """A boto3 session that finds its credentials itself, with nothing but this environment."""
        clean = {n: v for n, v in os.environ.items() if not n.startswith("AWS_")}
        clean.update(environment, AWS_CONFIG_FILE="/nonexistent", AWS_DEFAULT_REGION="us-east-1",
                     AWS_SHARED_CREDENTIALS_FILE="/nonexistent")
        with unittest.mock.patch.dict(os.environ, clean, clear=True):
            session = boto3.Session()
            session.get_credentials().get_frozen_credentials()
            return session

    def use(self, session):
        config = Config(s3={"addressing_style": "path"})
        self.put(session.client("s3", endpoint_url=self.server.url, config=config))
        self.assertEqual(self.report()["violations"], [])

    def test_imds_gives_credentials_that_s3_takes(self):
        self.serve(issued=self.ISSUED)
        self.use(self.session(AWS_EC2_METADATA_SERVICE_ENDPOINT=self.server.url))
        self.assertEqual(self.report()["requests"]["ImdsToken"], 1)

    def test_the_container_endpoint_wants_its_token(self):
        self.serve(issued=self.ISSUED, container_authorization="secret")
        self.use(self.session(AWS_CONTAINER_CREDENTIALS_FULL_URI=self.server.url + "/container",
                              AWS_CONTAINER_AUTHORIZATION_TOKEN="secret"))

    def test_sts_wants_role_and_token(self):
        self.serve(issued=self.ISSUED, role_arn="arn:aws:iam::1:role/r", web_identity_token="jwt-text")
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("jwt-text")
            file.flush()
            self.use(self.session(AWS_ROLE_ARN="arn:aws:iam::1:role/r",
                                  AWS_WEB_IDENTITY_TOKEN_FILE=file.name,
                                  AWS_ENDPOINT_URL_STS=self.server.url))

    def test_assume_role_is_signed(self):
        self.serve(issued=self.ISSUED)
        sts = boto3.client("sts", endpoint_url=self.server.url, region_name="us-east-1",
                           aws_access_key_id="testkey",
                           aws_secret_access_key="testsecretkey0123456789")
        answer = sts.assume_role(RoleArn="arn:aws:iam::1:role/r", RoleSessionName="session")
        self.assertEqual(answer["Credentials"]["SessionToken"], "t1")
        self.assertTrue(self.report()["clean"])

    def test_issued_credentials_expire(self):
        self.serve(issued=self.ISSUED)
        self.use(self.session(AWS_EC2_METADATA_SERVICE_ENDPOINT=self.server.url))
        client = boto3.client("s3", endpoint_url=self.server.url, aws_access_key_id="one",
                              aws_secret_access_key="s1", aws_session_token="t1",
                              region_name="us-east-1")
        self.server.config["sessions"]["one"] = ("t1", self.server.now() - LATE)
        self.refused("ExpiredToken", client.list_objects_v2, Bucket=BUCKET)
        self.assertTrue(self.report()["clean"])
