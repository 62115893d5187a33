"""What the tests of the fault server share: a server for each test, and boto3 as the client."""

import base64
import hashlib
import json
import socket
import sys
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from fault_server import Server

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


def run(name):
    """Runs the tests of a module and closes with the counts."""
    outcome = unittest.main(name, exit=False, verbosity=1, warnings="ignore").result
    bad = len(outcome.failures) + len(outcome.errors)
    skipped = len(outcome.skipped)
    print(f"{outcome.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad else 0)
