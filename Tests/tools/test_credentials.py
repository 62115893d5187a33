"""test_credentials.py [WORD…]: every place that credentials come from, against scripted endpoints."""

import contextlib
import os
import sys
import time

from room import MIB, Room, clean_environment, equal, finish, put, run_all, start, until

from fault_server import Server  # room knows where it is

ISSUED = [{"access": "firstkey", "secret": "first-secret", "token": "first-token"},
          {"access": "secondkey", "secret": "second-secret", "token": "second-token"}]
ROLE = "arn:aws:iam::1:role/r"
ALL_PARTS = {"HeadObject": 3, "Create": 1, "UploadPart": 3, "Complete": 1}


class Tests:
    def __init__(self, room):
        self.room = room

    @contextlib.contextmanager
    def serving(self, *rules, **settings):
        server = Server({"rules": list(rules), "issued": ISSUED,
                         "expect": ["if-none-match", "token"], **settings}).start()
        try:
            yield server
        finally:
            server.close()

    def put(self, server, *options, size=1000, **env):
        return put(self.room.sealed(size)[1], "--retries", "1", *options, "s3://vault-test/x",
                   env=self.env(server, **env))

    def env(self, server, **env):
        return clean_environment(AWS_ENDPOINT_URL_S3=server.url, AWS_REGION="us-east-1", **env)

    def stored(self, server, done, **requests):
        report = server.report()
        equal((done.status, done.err), (0, ""), f"exit and words, {report['requests']}")
        equal(done.receipt["status"], "stored")
        equal(report["violations"], [])
        for kind, number in requests.items():
            equal(report["requests"].get(kind, 0), number, kind)

    def refused(self, server, done, status, name, says, **requests):
        equal(done.status, status, f"exit, it said {done.err!r}")
        error = done.receipt["error"]
        equal([error["name"], error["code"]], [name, status])
        assert says in done.err, f"{says!r} is not in {done.err!r}"
        for kind, number in requests.items():
            equal(server.report()["requests"].get(kind, 0), number, kind)

    def file(self, text):
        path = self.room.directory() / "file"
        path.write_text(text)
        return str(path)

    # ---- the places

    def test_instance_metadata_version_2(self):
        with self.serving() as server:
            done = self.put(server, AWS_EC2_METADATA_DISABLED=None,
                            AWS_EC2_METADATA_SERVICE_ENDPOINT=server.url)
            self.stored(server, done, ImdsToken=1, ImdsRole=1, ImdsCredentials=1, PutObject=1)

    def test_instance_metadata_is_tried_once_when_nobody_answers(self):
        with self.serving({"match": "ImdsToken", "action": "silent", "seconds": 20}) as server:
            done = self.put(server, AWS_EC2_METADATA_DISABLED=None,
                            AWS_EC2_METADATA_SERVICE_ENDPOINT=server.url)
            self.refused(server, done, 78, "no-credentials", "no AWS credentials", ImdsToken=1)

    def test_instance_metadata_fails_for_a_moment(self):
        fault = {"match": "ImdsCredentials", "action": "status", "status": 503}
        with self.serving(fault) as server:
            done = self.put(server, AWS_EC2_METADATA_DISABLED=None,
                            AWS_EC2_METADATA_SERVICE_ENDPOINT=server.url)
            self.stored(server, done, ImdsCredentials=2)

    def test_container_endpoint_with_its_token(self):
        with self.serving(container_authorization="Basic container-word") as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container",
                            AWS_CONTAINER_AUTHORIZATION_TOKEN="Basic container-word")
            self.stored(server, done, Container=1)

    def test_container_endpoint_with_a_token_file(self):
        with self.serving(container_authorization="file-word") as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container",
                            AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=self.file("file-word\n"))
            self.stored(server, done, Container=1)

    def test_container_endpoint_refuses(self):
        with self.serving(container_authorization="right") as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container",
                            AWS_CONTAINER_AUTHORIZATION_TOKEN="wrong")
            self.refused(server, done, 78, "no-credentials", "cannot get credentials of the container",
                         Container=1, PutObject=0)

    def test_container_endpoint_elsewhere_is_not_trusted(self):
        with self.serving() as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI="http://192.0.2.1/container")
            self.refused(server, done, 78, "bad-configuration", "neither https nor on this host")

    def test_web_identity(self):
        with self.serving(role_arn=ROLE, web_identity_token="jwt-text") as server:
            done = self.put(server, AWS_ROLE_ARN=ROLE, AWS_ENDPOINT_URL_STS=server.url,
                            AWS_WEB_IDENTITY_TOKEN_FILE=self.file("jwt-text\n"))
            self.stored(server, done, Sts=1)

    def test_web_identity_is_refused(self):
        with self.serving(role_arn=ROLE, web_identity_token="jwt-text") as server:
            done = self.put(server, AWS_ROLE_ARN=ROLE, AWS_ENDPOINT_URL_STS=server.url,
                            AWS_WEB_IDENTITY_TOKEN_FILE=self.file("other"))
            self.refused(server, done, 78, "no-credentials", "cannot take the role", Sts=1)

    def test_web_identity_service_fails_for_a_moment(self):
        with self.serving({"match": "Sts", "action": "status", "status": 500}) as server:
            done = self.put(server, AWS_ROLE_ARN=ROLE, AWS_ENDPOINT_URL_STS=server.url,
                            AWS_WEB_IDENTITY_TOKEN_FILE=self.file("jwt"))
            self.stored(server, done, Sts=2)

    def test_role_of_a_profile(self):
        config = self.file(f"[profile base]\naws_access_key_id = testkey\naws_secret_access_key = "
                           f"testsecretkey0123456789\n[profile role]\nrole_arn = {ROLE}\n"
                           f"source_profile = base\n")
        with self.serving(role_arn=ROLE) as server:
            done = self.put(server, AWS_CONFIG_FILE=config, AWS_PROFILE="role",
                            AWS_ENDPOINT_URL_STS=server.url)
            self.stored(server, done, Sts=1)

    def test_role_with_a_wrong_secret(self):
        config = self.file(f"[profile base]\naws_access_key_id = testkey\naws_secret_access_key = no"
                           f"\n[profile role]\nrole_arn = {ROLE}\nsource_profile = base\n")
        with self.serving(role_arn=ROLE) as server:
            done = self.put(server, AWS_CONFIG_FILE=config, AWS_PROFILE="role",
                            AWS_ENDPOINT_URL_STS=server.url)
            self.refused(server, done, 78, "no-credentials", "cannot take the role", Sts=1)

    def test_no_credentials_at_all(self):
        with self.serving() as server:
            self.refused(server, self.put(server), 78, "no-credentials", "no AWS credentials",
                         PutObject=0, HeadObject=0)

    def test_half_a_key_pair(self):
        with self.serving() as server:
            done = self.put(server, AWS_ACCESS_KEY_ID="testkey")
            self.refused(server, done, 78, "no-credentials", "AWS_SECRET_ACCESS_KEY")

    # ---- their end

    def test_they_are_fetched_anew_before_they_expire(self):
        ending = [{**ISSUED[0], "expires_in": 200}, {**ISSUED[1], "expires_in": 3600}]
        with self.serving(issued=ending) as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container")
            self.stored(server, done, Container=2)

    def test_a_service_that_fails_then_stops_nothing_while_they_are_good(self):
        ending = [{**ISSUED[0], "expires_in": 200}]
        fault = {"match": "Container", "action": "status", "status": 500, "nth": 2, "count": 0}
        with self.serving(fault, issued=ending) as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container")
            self.stored(server, done, PutObject=1)

    def test_h23_expired_token_in_the_middle_and_the_container_has_new_ones(self):
        expired = {"match": "UploadPart", "part": 2, "action": "status", "status": 400,
                   "code": "ExpiredToken", "when_token": "first-token", "count": 0}
        with self.serving(expired) as server:
            done = self.put(server, AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container",
                            size=11 * MIB)
            self.stored(server, done, **{**ALL_PARTS, "UploadPart": 4}, Container=2)

    def test_h23_the_credentials_file_is_replaced_in_the_middle(self):
        path = self.file("[default]\naws_access_key_id = testkey\naws_session_token = old-token\n"
                         "aws_secret_access_key = testsecretkey0123456789\n")
        expired = {"match": "UploadPart", "part": 3, "action": "status", "status": 400,
                   "code": "ExpiredToken", "when_token": "old-token", "count": 0}
        stream = self.room.sealed(11 * MIB)[1]
        with self.serving(expired) as server:
            begun = start("vault-put", "s3://vault-test/x", stdin=-1, stdout=-1, stderr=-1,
                          env=self.env(server, AWS_SHARED_CREDENTIALS_FILE=path))
            begun.stdin.write(stream[:-MIB])
            begun.stdin.flush()
            until(lambda: server.report()["requests"].get("UploadPart"))
            with open(path + ".new", "w", encoding="ascii") as file:
                file.write("[default]\naws_access_key_id = testkey\naws_session_token = new-token\n"
                           "aws_secret_access_key = testsecretkey0123456789\n")
            os.replace(path + ".new", path)
            done = finish(begun, stream[-MIB:])
            self.stored(server, done, **{**ALL_PARTS, "UploadPart": 4})

    def test_h23_expired_and_none_newer(self):
        expired = {"match": "UploadPart", "action": "status", "status": 400, "code": "ExpiredToken",
                   "count": 0}
        with self.serving(expired) as server:
            done = self.put(server, size=11 * MIB, AWS_ACCESS_KEY_ID="testkey",
                            AWS_SECRET_ACCESS_KEY="testsecretkey0123456789",
                            AWS_SESSION_TOKEN="session-token-text")
            self.refused(server, done, 77, "remote-denied", "no newer ones", Complete=0, Abort=1)
            equal(server.report()["open_uploads"], [])

    def test_h03_a_signature_is_made_afresh_for_each_try(self):
        slow = {"match": "PutObject", "action": "status", "status": 503, "count": 1}
        with self.serving(slow) as server:
            done = self.put(server, AWS_ACCESS_KEY_ID="testkey",
                            AWS_SECRET_ACCESS_KEY="testsecretkey0123456789")
            self.stored(server, done, PutObject=2)
            dates = [e["date"] for e in server.report()["log"] if e["kind"] == "PutObject"]
            assert dates[0] < dates[1], f"the date was not made anew: {dates}"

    def test_h03_a_clock_that_jumps_in_the_middle(self):
        slow = {"match": "UploadPart", "action": "delay", "seconds": 1, "count": 0}
        stream = self.room.sealed(11 * MIB)[1]
        with self.serving(slow) as server:
            begun = start("vault-put", "-j1", "s3://vault-test/x", stdin=-1, stdout=-1, stderr=-1,
                          env=self.env(server, AWS_ACCESS_KEY_ID="testkey",
                                       AWS_SECRET_ACCESS_KEY="testsecretkey0123456789"))
            begun.stdin.write(stream)
            until(lambda: server.report()["requests"].get("UploadPart"))
            server.config["clock_skew"] = 3600
            self.stored(server, finish(begun), Complete=1)

    def test_h27_signatures_do_not_depend_on_the_locale_or_the_zone(self):
        for locale, zone in (("th_TH.UTF-8", "Asia/Kathmandu"), ("ar_EG", "Africa/Cairo"),
                             ("fr_FR.UTF-8", "Pacific/Apia"), ("tr_TR.UTF-8", "UTC")):
            with self.serving() as server:
                done = self.put(server, LC_ALL=locale, LANG=locale, TZ=zone,
                                AWS_ACCESS_KEY_ID="testkey",
                                AWS_SECRET_ACCESS_KEY="testsecretkey0123456789")
                self.stored(server, done)
                stamp = time.strftime("%Y-%m-%dT%H", time.gmtime())
                equal(done.receipt["stored_at"][:11], stamp[:11])


def main():
    room = Room()
    try:
        tests = Tests(room)
        room.sealed(1000), room.sealed(11 * MIB)
        return run_all([(name, getattr(tests, name)) for name in dir(tests)
                        if name.startswith("test_")])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
