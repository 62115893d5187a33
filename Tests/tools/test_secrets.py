"""test_secrets.py [WORD…]: K12, K14: no secret in any output, whatever the server or the user's variables say.

The server repeats each header and query that it got, and each secret, in every place that an answer
has; then standard output, standard error and the journal are searched.
"""

import base64
import re
import sys
import urllib.parse

from room import MIB, Room, clean_environment, equal, put, run_all

from fault_server import Server  # room knows where it is

SECRET = "testsecretkey0123456789"
TOKEN = "FwoGZXIvYXdzEBYaD+session/token=="
PASSWORD = "Pr0xyPass.word"
CUSTOMER = base64.b64encode(b"0123456789abcdef0123456789ABCDEF").decode()
KINDS = {"PutObject": 1000, "HeadObject": 1000, "Create": 11 * MIB, "UploadPart": 11 * MIB,
         "Complete": 11 * MIB}


def forms(secret):
    yield secret
    yield urllib.parse.quote(secret, safe="")
    yield urllib.parse.quote_plus(secret)


class Tests:
    def __init__(self, room):
        self.room = room

    def put(self, size, rules, *options, settings=None, **env):
        server = Server({"rules": rules, "issued": [], "verify": False, **(settings or {})}).start()
        try:
            given = {"AWS_ENDPOINT_URL_S3": server.url, "AWS_ACCESS_KEY_ID": "testkey",
                     "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN, **env}
            done = put(self.room.sealed(size)[1], "--retries", "0", "--verbose", "--progress",
                       "always", *options, "s3://vault-test/x", env=clean_environment(**given))
        finally:
            server.close()
        return done

    def clean(self, done, *secrets):
        text = done.out.decode() + done.err
        for secret in (SECRET, TOKEN, *secrets):
            for form in forms(secret):
                assert form not in text, f"{secret!r} is in {text!r}"
        assert not re.search(r"(?i)signature=[0-9a-f]{64}", text), f"a signature is in {text!r}"
        assert "AWS4-HMAC" not in text, text

    def echoed(self, kind, place):
        """Answers that repeat the secrets in one place."""
        both = f"{SECRET} {TOKEN}"
        refusal = {"match": kind, "action": "status", "status": 400, "code": "InvalidArgument",
                   "count": 0, "echo": True}
        return {
            "message": {**refusal, "message": both},
            "code": {**refusal, "code": SECRET},
            "code-token": {**refusal, "code": TOKEN},
            "region": {**refusal, "status": 301, "code": "PermanentRedirect", "region": SECRET},
            "region-header": {**refusal, "status": 301, "code": "PermanentRedirect",
                              "headers": {"x-amz-bucket-region": SECRET}},
            "body": {**refusal, "body": both},
            "etag": {"match": kind, "action": "rewrite", "count": 0,
                     "headers": {"ETag": f'"{SECRET}"', "x-amz-version-id": TOKEN}},
            "header": {**refusal, "headers": {"Server": both, "Location": "http://u:" + PASSWORD +
                                              "@x/?X-Amz-Signature=" + SECRET, "Retry-After": SECRET}},
            "200": {**refusal, "action": "error-200", "status": 200, "message": both, "code": SECRET},
        }[place]

    def echo_tests(self):
        for kind, size in KINDS.items():
            for place in ("message", "code", "code-token", "region", "region-header", "body", "etag",
                          "header", "200"):
                yield f"K12 {kind} answers with secrets: {place}", \
                    lambda k=kind, s=size, p=place: self.echo(k, s, p)

    def echo(self, kind, size, place):
        done = self.put(size, [self.echoed(kind, place)])
        if place not in ("etag", "200"):
            equal(done.status in (0, 69, 75, 77, 78), True, f"exit {done.status}")
        equal(done.status > 0, len(done.receipt.get("error", "")) > 0, "an error in the receipt")
        self.clean(done)

    def test_k12_an_abort_that_fails_and_echoes(self):
        rules = [self.echoed("UploadPart", "message"), self.echoed("Abort", "message")]
        done = self.put(11 * MIB, rules)
        equal(done.status, 69)
        self.clean(done)

    def test_k12_an_upload_id_that_is_a_secret(self):
        body = ('<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>' + SECRET +
                "</UploadId></InitiateMultipartUploadResult>")
        rules = [{"match": "Create", "action": "status", "status": 200, "body": body},
                 {"match": "Abort", "action": "status", "status": 500, "count": 0}]
        done = self.put(11 * MIB, rules)
        equal(done.status, 69)
        self.clean(done)

    def test_k12_a_web_identity_token_is_echoed(self):
        jwt = "eyJhbGciOiJSUzI1NiJ9.cGF5bG9hZA.c2lnbmF0dXJl"
        path = self.room.directory() / "jwt"
        path.write_text(jwt)
        for place in ("message", "code", "body"):
            rule = {**self.echoed("Sts", place), "status": 403}
            rule = {**rule, "code": jwt} if place == "code" else {**rule, place: jwt}
            server = Server({"rules": [rule]}).start()
            done = put(self.room.sealed(1000)[1], "-v", "s3://vault-test/x", env=clean_environment(
                AWS_ENDPOINT_URL=server.url, AWS_ROLE_ARN="arn:aws:iam::1:role/r",
                AWS_WEB_IDENTITY_TOKEN_FILE=str(path)))
            server.close()
            equal(done.status, 78, done.err)
            self.clean(done, jwt)

    def test_k12_a_container_token_is_echoed(self):
        rule = {"match": "Container", "action": "status", "status": 403, "code": "container-word-7",
                "echo": True, "count": 0}
        server = Server({"rules": [rule]}).start()
        done = put(self.room.sealed(1000)[1], "-v", "s3://vault-test/x", env=clean_environment(
            AWS_ENDPOINT_URL=server.url, AWS_CONTAINER_AUTHORIZATION_TOKEN="container-word-7",
            AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container"))
        server.close()
        equal(done.status, 78, done.err)
        self.clean(done, "container-word-7")

    def test_k12_a_token_that_was_issued_is_echoed(self):
        issued = [{"access": "a1", "secret": "issued-secret-1", "token": "issued-token-1"}]
        rule = {"match": "PutObject", "action": "status", "status": 403, "code": "issued-secret-1",
                "region": "issued-token-1", "count": 0}
        server = Server({"rules": [rule], "issued": issued}).start()
        done = put(self.room.sealed(1000)[1], "-v", "s3://vault-test/x", env=clean_environment(
            AWS_ENDPOINT_URL=server.url, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container"))
        server.close()
        equal(done.status, 77, done.err)
        self.clean(done, "issued-secret-1", "issued-token-1")

    def test_k12_a_customer_key_in_a_header(self):
        rule = {"match": "PutObject", "action": "status", "status": 400, "code": "Code", "count": 0,
                "echo": True, "message": CUSTOMER}
        done = self.put(1000, [rule], "--header",
                           "x-amz-server-side-encryption-customer-key: " + CUSTOMER)
        equal(done.status, 69)
        self.clean(done, CUSTOMER)

    def test_k14_a_password_in_the_endpoint(self):
        done = self.put(1000, [], AWS_ENDPOINT_URL_S3=f"http://user:{PASSWORD}@127.0.0.1:1")
        equal(done.status, 78)
        self.clean(done, PASSWORD)

    def test_k14_a_password_in_the_proxy(self):
        for proxy in (f"http://user:{PASSWORD}@127.0.0.1:1", f"http://user:{PASSWORD}@no.invalid:80",
                      f"bad://user:{PASSWORD}@127.0.0.1:1", f"http://user:{PASSWORD}@127.0.0.1:x"):
            done = self.put(1000, [], http_proxy=proxy, AWS_ENDPOINT_URL_S3="http://192.0.2.9:80")
            equal(done.status in (75, 78), True, f"exit {done.status}")
            self.clean(done, PASSWORD)

    def test_k12_a_bad_credentials_file(self):
        path = self.room.directory() / "credentials"
        for text in (f"[default]\naws_secret_access_key {SECRET}\n", f"{SECRET}\n",
                     f"[default]\naws_access_key_id = {SECRET}\n"):
            path.write_text(text)
            done = self.put(1000, [], AWS_SHARED_CREDENTIALS_FILE=str(path),
                               AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
            equal(done.status, 78)
            self.clean(done)

    def test_k11_the_journal_has_no_credential(self):
        journal = self.room.directory() / "journal"
        done = self.put(11 * MIB, [self.echoed("UploadPart", "message")], "--journal",
                           str(journal))
        equal(done.status, 69)
        self.clean(done)
        for form in (SECRET, TOKEN, "AWS4-HMAC"):
            assert form.encode() not in journal.read_bytes(), "the journal has a secret"


def main():
    room = Room()
    try:
        tests = Tests(room)
        room.sealed(1000), room.sealed(11 * MIB)
        named = [(name, getattr(tests, name)) for name in dir(tests) if name.startswith("test_")]
        return run_all([*tests.echo_tests(), *named])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
