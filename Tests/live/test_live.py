"""test_live.py [WORD…]: vault-put against SeaweedFS and Ceph's gateway, which with-servers.sh has started.

Each object is read back with boto3, compared with what vault-seal wrote, and opened.
"""

import base64
import contextlib
import functools
import hashlib
import os
import pathlib
import select
import socket
import sys
import threading

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import streams
from room import MIB, ROOT, Room, clean_environment, equal, put, run_all  # noqa: E402

BUCKET = os.environ["VAULT_TEST_BUCKET"]
CA = os.environ["VAULT_TEST_CA"]
SERVERS = {"seaweed": os.environ["VAULT_TEST_SEAWEED"], "rgw": os.environ["VAULT_TEST_RGW"],
           "seaweed-tls": os.environ["VAULT_TEST_SEAWEED_TLS"], "rgw-tls": os.environ["VAULT_TEST_RGW_TLS"]}
KEY, SECRET = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
KEYS = ["C++ notes.txt", "a+b", "a%2Bb", "a b", "a%20b", "a=b&c", "~*()!'", "a?b", "a#b", "é/日本/🎈", "e\u0301",
        'Net & Works<x>"y', "a;b,c:d@e$f", "|^`[]{}", "%", "%zz", "\\back\\slash", "x" * 255, "a/b/c/d",
        " lead", "a..b", "-dash", "new{item}word"]
# Names that servers clean up. SeaweedFS keeps its objects as files in directories, so that these
# are other names there or none; vault-put must then say so, and not "stored".
ODD = ["/a", "//a", "a//b", "a/", "a/../b", "./a", "..", "."]


class Tests:
    def __init__(self, room):
        self.room = room

    @functools.cache
    def client(self, server):
        config = Config(s3={"addressing_style": "path"}, retries={"max_attempts": 2},
                        request_checksum_calculation="when_required",
                        response_checksum_validation="when_required")
        return boto3.client("s3", endpoint_url=SERVERS[server], verify=CA, config=config,
                            region_name="us-east-1", aws_access_key_id=KEY,
                            aws_secret_access_key=SECRET)

    def env(self, server, **more):
        given = {"AWS_ENDPOINT_URL_S3": SERVERS[server], "AWS_ACCESS_KEY_ID": KEY,
                 "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1"}
        if server.endswith("-tls"):
            given["AWS_CA_BUNDLE"] = CA
        return clean_environment(**{**given, **more})

    def put(self, server, size, key, *options, **env):
        return put(self.room.sealed(size)[1], *options, f"s3://{BUCKET}/{key}",
                   env=self.env(server, **env), timeout=120)

    def read(self, server, key):
        answer = self.client(server).get_object(Bucket=BUCKET, Key=key)
        return answer["Body"].read(), answer

    def there(self, server, key):
        try:
            self.client(server).head_object(Bucket=BUCKET, Key=key)
            return True
        except ClientError as error:
            equal(error.response["ResponseMetadata"]["HTTPStatusCode"], 404)
            return False

    def uploads(self, server, prefix=""):
        found = self.client(server).list_multipart_uploads(Bucket=BUCKET, Prefix=prefix)
        return [u["Key"] for u in found.get("Uploads", [])]

    def stored(self, server, size, key, done, proof="head", create=None):
        """The receipt, the object and its metadata say the same."""
        vault, stream = self.room.sealed(size)
        equal((done.status, done.err), (0, ""), f"{server} {key}")
        receipt = done.receipt
        body, answer = self.read(server, key)
        equal(body == vault, True, "the object is the sealed one")
        equal(self.room.opened(body) == self.room.data(size), True, "it opens")
        parts = part_digests(stream)
        composite = base64.b64encode(hashlib.sha256(b"".join(parts)).digest()).decode()
        wanted = {"receipt": "vault/1", "status": "stored", "object": f"s3://{BUCKET}/{key}",
                  "object_bytes": len(vault), "data_bytes": size, "parts": len(parts),
                  "sha256": hashlib.sha256(vault).hexdigest(),
                  "parts_sha256": f"{composite}-{len(parts)}" if len(parts) > 1 else None, "proof": proof,
                  "token": answer["Metadata"]["vault-token"],
                  "item": answer["Metadata"]["vault-item"]}
        equal({name: receipt.get(name) for name in wanted}, wanted, "the receipt")
        equal(receipt["etag"], answer["ETag"], "etag")
        if create:
            equal(receipt["create"], create)
        equal(self.uploads(server, key), [], "open uploads")

    # ---- what is stored

    def each_server(self):
        for server in SERVERS:
            for size, what in ((100_000, "one part"), (0, "an empty item"), (1, "one byte"),
                               (23 * MIB, "many parts")):
                yield f"{server}: {what}", lambda s=server, n=size: self.size(s, n)
            for check in ("overwrite", "headers", "checksums", "batch", "wrong_secret", "wrong_bucket",
                          "item_in_the_key", "jobs_and_memory", "proxy", "files", "virtual", "signals"):
                yield f"{server}: {check}", lambda s=server, c=check: getattr(self, c)(s)
        for server in ("seaweed", "rgw"):
            for key in KEYS:
                yield f"H07 M22 {server}: key {key!r:.40}", lambda s=server, k=key: self.key(s, k)
            for key in ODD:
                yield f"H09 H10 {server}: key {key!r}", lambda s=server, k=key: self.odd_key(s, k)
            yield f"M22 {server}: many parts under a key with marks of XML", \
                lambda s=server: self.key(s, 'Many & Works<x>"y+z', 11 * MIB)
        for server in ("seaweed", "seaweed-tls"):
            yield f"{server}: may only read", lambda s=server: self.reader(s)
            yield f"{server}: may only write", lambda s=server: self.writer(s)
        for server in ("seaweed-tls", "rgw-tls"):
            yield f"{server}: without the authority", lambda s=server: self.no_authority(s)

    def size(self, server, size):
        key = f"sizes/{server}/{size}"
        # Ceph 16 replaces on Complete, so that there a look comes before it.
        create = "checked" if server.startswith("rgw") and size > 5 * MIB else "conditional"
        self.stored(server, size, key, self.put(server, size, key), create=create)
        again = self.put(server, size, key)
        equal([again.status, again.receipt["status"], again.receipt["error"]["name"]],
              [73, "exists", "exists"])
        self.unchanged(server, size, key)

    def unchanged(self, server, size, key):
        equal(self.read(server, key)[0] == self.room.sealed(size)[0], True, "nothing changed")
        equal(self.uploads(server, key), [])

    def overwrite(self, server):
        for size in (1000, 11 * MIB):
            key = f"overwrite/{server}/{size}"
            equal(self.put(server, 5, key).status, 0)
            done = self.put(server, size, key, "--overwrite")
            self.stored(server, size, key, done)
            assert "create" not in done.receipt, done.receipt

    def headers(self, server):
        for size in (1000, 11 * MIB):
            key = f"headers/{server}/{size}"
            done = self.put(server, size, key, "--header", "cache-control: no-store, private",
                            "--header", "x-amz-storage-class: STANDARD",
                            "--header", "x-amz-tagging: kind=study&year=2024")
            self.stored(server, size, key, done)
            equal(self.read(server, key)[1].get("CacheControl"), "no-store, private")
            if server.startswith("rgw") and size > 5 * MIB:
                continue  # Ceph 16 takes no tags for an upload of several parts
            tags = self.client(server).get_object_tagging(Bucket=BUCKET, Key=key)["TagSet"]
            equal(sorted((t["Key"], t["Value"]) for t in tags),
                  [("kind", "study"), ("year", "2024")])

    def checksums(self, server):
        for choice in ("md5", "none", "sha256"):
            for size in (1000, 11 * MIB):
                key = f"checksums/{server}/{choice}{size}"
                self.stored(server, size, key, self.put(server, size, key, "--checksum", choice))

    def batch(self, server):
        sizes = [1000, 0, 11 * MIB, 5]
        stream = streams.batch([self.room.sealed(size)[1] for size in sizes])
        done = put(stream, f"s3://{BUCKET}/batch/{server}/{{item}}", env=self.env(server))
        equal((done.status, done.err, len(done.receipts)), (0, "", 4))
        by_size = {receipt["data_bytes"]: receipt for receipt in done.receipts}
        for size in sizes:
            key = by_size[size]["object"].removeprefix(f"s3://{BUCKET}/")
            equal(key, f"batch/{server}/{by_size[size]['item']}")
            equal(self.read(server, key)[0] == self.room.sealed(size)[0], True)
        again = put(stream, f"s3://{BUCKET}/batch/{server}/{{item}}", env=self.env(server))
        equal([again.status, {r["status"] for r in again.receipts}], [73, {"exists"}])

    def item_in_the_key(self, server):
        done = self.put(server, 1000, f"{server}/in {{item}}.vault")
        self.stored(server, 1000, f"{server}/in {done.receipt['item']}.vault", done)

    def jobs_and_memory(self, server):
        for options in (["--jobs", "1"], ["--jobs", "8", "--memory", "1MiB"]):
            key = f"jobs/{server}/{options[1]}"
            self.stored(server, 23 * MIB, key, self.put(server, 23 * MIB, key, *options))

    def signals(self, server):
        """A stream that is cut leaves no object and no upload."""
        stream = self.room.sealed(23 * MIB)[1]
        key = f"cut/{server}"
        done = put(stream[:-1], f"s3://{BUCKET}/{key}", env=self.env(server))
        equal([done.status, done.receipt["status"]], [66, "incomplete"])
        equal([self.there(server, key), self.uploads(server, key)], [False, []])

    # ---- keys

    def key(self, server, key, size=1000):
        key = f"keys/{key}"
        done = self.put(server, size, key)
        if "{item}" in key:
            key = key.replace("{item}", done.receipt["item"])
        self.stored(server, size, key, done)
        listed = self.client(server).list_objects_v2(Bucket=BUCKET, Prefix=key)
        found = [row["Key"] for row in listed.get("Contents", [])]
        if server == "seaweed" and "\\" in key:
            # It takes a backslash for a slash, in answers to HEAD too: nobody can see it but in lists.
            print(f"note: {server} keeps the key {key!r} under another name")
        else:
            assert key in found, f"{key!r} is not listed"

    def odd_key(self, server, key):
        """It is stored under this very key, or vault-put says that it is not; no other key changes."""
        other = {k: self.put(server, 7, k) for k in ("a", "b")}
        done = self.put(server, 1000, key, "--retries", "0")
        if done.status == 0:
            equal(self.head_by_signature(server, key), len(self.room.sealed(1000)[0]), "its size")
        else:
            equal(done.receipt["status"] in ("failed", "unknown", "exists"), True, done.out)
            print(f"note: {server} does not keep the key {key!r}: {done.err.strip()}")
        for name in other:
            equal(self.read(server, name)[0] == self.room.sealed(7)[0], True, f"{name!r} changed")

    def head_by_signature(self, server, key):
        """boto3 sends keys as they are with path style."""
        return self.client(server).head_object(Bucket=BUCKET, Key=key)["ContentLength"]

    # ---- who may do what

    def wrong_secret(self, server):
        done = self.put(server, 1000, f"secret/{server}", AWS_SECRET_ACCESS_KEY="wrong")
        equal([done.status, done.receipt["error"]["name"]], [77, "remote-denied"])
        done = self.put(server, 1000, f"secret/{server}", AWS_ACCESS_KEY_ID="nobody")
        equal([done.status, done.receipt["error"]["name"]], [77, "remote-denied"])
        equal(self.there(server, f"secret/{server}"), False)

    def wrong_bucket(self, server):
        for size in (1000, 11 * MIB):
            done = put(self.room.sealed(size)[1], "s3://no-such-bucket/x", env=self.env(server))
            equal([done.status, done.receipt["error"]["name"]], [69, "remote-refused"], done.err)

    def reader(self, server):
        for size in (1000, 11 * MIB):
            done = self.put(server, size, f"reader/{server}", AWS_ACCESS_KEY_ID="readkey",
                            AWS_SECRET_ACCESS_KEY="readsecretkey0123456789")
            equal([done.status, done.receipt["error"]["name"]], [77, "remote-denied"])
        equal([self.there(server, f"reader/{server}"), self.uploads(server, "reader/")], [False, []])

    def writer(self, server):
        keys = {"AWS_ACCESS_KEY_ID": "writekey", "AWS_SECRET_ACCESS_KEY": "writesecretkey0123456789"}
        for size in (1000, 11 * MIB):
            key = f"writer/{server}/{size}"
            done = self.put(server, size, key, **keys)
            self.stored(server, size, key, done, proof="response")
            again = self.put(server, size, key, "--retries", "0", **keys)
            # It may not look whose object took the name. The upload that was refused is taken back.
            equal([again.status, again.receipt["status"]], [75, "unknown"])
            self.unchanged(server, size, key)

    # ---- ways there

    def no_authority(self, server):
        done = self.put(server, 1000, f"tls/{server}", AWS_CA_BUNDLE=None)
        equal([done.status, done.receipt["error"]["name"]], [78, "bad-configuration"])
        assert "certificate" in done.err and "AWS_CA_BUNDLE" in done.err, done.err
        equal(self.there(server, f"tls/{server}"), False)

    def proxy(self, server):
        with proxying() as (url, seen):
            name = "https_proxy" if server.endswith("-tls") else "http_proxy"
            for size in (1000, 11 * MIB):
                key = f"proxy/{server}/{size}"
                self.stored(server, size, key, self.put(server, size, key, **{name: url}))
            assert seen, "nothing went through the proxy"
            count = len(seen)
            key = f"proxy/{server}/direct"
            self.stored(server, 1000, key, self.put(server, 1000, key, no_proxy="127.0.0.1",
                                                    **{name: url}))
            equal(len(seen), count, "connections through the proxy")

    def virtual(self, server):
        url = SERVERS[server].replace("127.0.0.1", "localhost")
        for style in ("virtual", "path"):
            for size in (1000, 11 * MIB):
                key = f"addressing/{server}/{style}{size}"
                done = self.put(server, size, key, "--addressing", style, AWS_ENDPOINT_URL_S3=url)
                self.stored(server, size, key, done)

    def files(self, server):
        """Everything from the shared files: keys, region, endpoint, authority."""
        place = self.room.directory()
        (place / "credentials").write_text(
            f"[default]\naws_access_key_id = nobody\naws_secret_access_key = x\n[study]\n"
            f"aws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
        (place / "config").write_text(
            f"[profile study]\nregion = us-east-1\nendpoint_url = {SERVERS[server]}\nca_bundle = {CA}\n"
            f"s3 =\n  addressing_style = path\n")
        env = clean_environment(AWS_PROFILE="study", AWS_CONFIG_FILE=str(place / "config"),
                                AWS_SHARED_CREDENTIALS_FILE=str(place / "credentials"))
        done = put(self.room.sealed(1000)[1], f"s3://{BUCKET}/files/{server}", env=env)
        self.stored(server, 1000, f"files/{server}", done)
        done = put(self.room.sealed(1000)[1], f"s3://{BUCKET}/files/{server}2",
                   env={**env, "AWS_PROFILE": "nobody"})
        equal([done.status, done.receipt["error"]["name"]], [78, "no-credentials"])


def part_digests(stream):
    digests, sha256 = [], hashlib.sha256()
    for letter, payload, _ in streams.frames(stream):
        if letter == "D":
            sha256.update(payload)
        if letter == "P":
            digests.append(sha256.digest())
            sha256 = hashlib.sha256()
    return digests


@contextlib.contextmanager
def proxying():
    """A small proxy: CONNECT, and plain requests with a whole URL. Yields its URL and what it was asked."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = []

    def accept():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0], seen), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen
    listener.close()


def serve(client, seen):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = client.recv(65536)
        if not piece:
            return
        head += piece
    method, target, _ = head.split(b" ", 2)
    seen.append((method, target))
    place = target if method == b"CONNECT" else target.split(b"/")[2]
    host, port = place.decode().rsplit(":", 1)
    server = socket.create_connection((host, int(port)))
    if method == b"CONNECT":
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        head = head.partition(b"\r\n\r\n")[2]
    else:
        # One exchange a connection: a second request on it would need its target changed too.
        head = head.replace(b"http://" + place, b"", 1).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
    server.sendall(head)
    pump(client, server)


def pump(client, server):
    with client, server:
        while True:
            for ready in select.select([client, server], [], [])[0]:
                piece = ready.recv(1 << 18)
                if not piece:
                    return
                (server if ready is client else client).sendall(piece)


def main():
    room = Room()
    try:
        tests = Tests(room)
        for size in (0, 1, 5, 7, 1000, 100_000, 11 * MIB, 23 * MIB):
            room.sealed(size)
        for server in SERVERS:
            tests.client(server)
        return run_all(list(tests.each_server()))
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
