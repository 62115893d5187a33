"""fault_server.py [--script FILE] [--upstream URL] [--cert PEM --key PEM]

An S3 server that fails as it is told: in memory, or in front of a real one. It listens on a free
port of 127.0.0.1, prints `listening PORT refusing PORT` (the second refuses connections as long as
this process lives) and ends by a signal, or with --until-eof when its standard input does. Without
signature it answers:
  GET  /_faults/report         requests by kind, violations, connections, what is stored, a log
  POST /_faults/script         new settings and rules (script.py); everything is forgotten
  PUT, GET /_faults/objects/BUCKET/KEY    an object's bytes
"""

import argparse
import collections
import datetime
import hashlib
import json
import socket
import ssl
import sys
import threading
import time
import urllib.parse

import actions
import checks
from mini_s3 import MiniS3, error, kind_of
from script import Script
from upstream import Upstream
from wire import Answer, Connection, Gone


class Server:
    def __init__(self, settings=None, upstream=None, context=None):
        self.upstream, self.context = upstream, context
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        self.refusing = socket.socket()  # bound and never listening
        self.refusing.bind(("127.0.0.1", 0))
        self.refusing_port = self.refusing.getsockname()[1]
        self.load(settings or {})

    def load(self, settings):
        self.script = Script(settings)
        self.config = self.script.config
        bad = {r.get("action") for r in self.script.rules} - actions.NAMES
        if bad:
            raise ValueError(f"unknown actions: {sorted(map(str, bad))}")
        self.backend = Upstream(self.upstream, self.config) if self.upstream else MiniS3(self.config)
        self.lock = threading.Lock()
        self.requests = collections.Counter()
        self.violations, self.log = [], []
        self.connections, self.begun = 0, time.monotonic()

    def start(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def close(self):
        self.listener.close()
        self.refusing.close()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        try:
            if self.context:
                sock = self.context.wrap_socket(sock, server_side=True)
            Session(self, Connection(sock)).run()
        except (OSError, ssl.SSLError):
            sock.close()

    def now(self):
        utc = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        return utc + datetime.timedelta(seconds=self.config["clock_skew"])

    def report(self):
        with self.lock:
            return {
                "clean": not self.violations, "violations": self.violations,
                "requests": dict(self.requests), "connections": self.connections,
                "open_uploads": [{"upload_id": i, "key": u.key, "parts": len(u.parts)}
                                 for i, u in self.backend.uploads.items()],
                "objects": {f"{b}/{k}": {"bytes": len(o.body), "etag": o.etag,
                                         "sha256": hashlib.sha256(o.body).hexdigest(),
                                         "headers": o.headers}
                            for (b, k), o in self.backend.objects.items()},
                "log": self.log}


class Session:
    """One connection and the requests on it."""

    def __init__(self, server, connection):
        self.server, self.connection, self.counted = server, connection, False
        self.entry = None

    def run(self):
        try:
            while self.one() and self.may_go_on():
                pass
        except Gone as gone:
            if self.entry:
                self.entry["gone"] = str(gone)
        finally:
            self.connection.close()

    def may_go_on(self):
        asked = self.request.header("connection", "").lower()
        return self.server.config["keep_alive"] and asked != "close"

    def one(self):
        self.entry = None
        request = self.connection.read_request(self.server.config["idle_seconds"])
        self.request = request
        if request.path.startswith("/_faults/"):
            return self.control(request)
        if not self.counted:
            self.counted = True
            self.server.connections += 1
        kind = kind_of(request)
        rule = self.server.script.pick(kind, request)
        self.note(kind, request, rule.get("action"))
        name = rule.get("action")
        if name in actions.BEFORE:
            return actions.BEFORE[name](self, request, rule)
        self.read_body(request, rule)
        refusal = self.check(kind, request)
        if name in actions.INSTEAD:
            return actions.INSTEAD[name](self, request, rule)
        if name == "swap-object":
            self.swap(request, rule)
        answer = refusal or self.server.backend.handle(kind, request)
        answer.headers.setdefault("Date", self.server.now().strftime("%a, %d %b %Y %H:%M:%S GMT"))
        self.entry["status"] = answer.status
        if name in actions.AFTER and not refusal:
            return actions.AFTER[name](self, request, rule, answer)
        self.connection.answer(answer, request)
        return True

    def note(self, kind, request, action):
        self.entry = {"at": round(time.monotonic() - self.server.begun, 3), "kind": kind,
                      "key": request.key, "part": request.parameters.get("partNumber"),
                      "action": action, "date": request.header("x-amz-date")}
        with self.server.lock:
            self.server.requests[kind] += 1
            self.server.log.append(self.entry)

    def read_body(self, request, rule):
        if request.header("expect") and rule.get("action") != "no-continue":
            self.connection.write(Answer(100).head())
        if "chunked" in request.header("transfer-encoding", ""):
            request.body = self.connection.read_chunked()
            return
        pace = None
        if rule.get("action") == "slow-read":
            pace = lambda count: time.sleep(count / rule.get("bytes_per_second", 1 << 20))
        request.body = self.connection.read(request.length, pace)

    def check(self, kind, request):
        """Reports every complaint; the answer for the first one that has a code."""
        config, refusal = self.server.config, None
        found = [*checks.framing(request), *checks.payload(request, kind, config["allow"]),
                 *checks.intent(request, kind, config["expect"], config["allow"])]
        if config["verify"]:
            found += checks.signature(request, config, self.server.now())
        for name, code in found:
            if name not in ("region", "clock"):  # a fault of the script, not of the client
                with self.server.lock:
                    self.server.violations.append({"kind": kind, "key": request.key, "what": name})
            if code and not refusal:
                refusal = self.refuse(code)
        return refusal

    def refuse(self, code):
        region = self.server.config["region"] or "us-east-1"
        answer = error(checks.STATUS[code], code, Region=region)
        answer.headers["x-amz-bucket-region"] = region
        return answer

    def swap(self, request, rule):
        """swap-object: another object takes the name before this request is served."""
        backend, where = self.server.backend, (request.bucket, request.key)
        body = rule.get("text", "other").encode() * rule.get("times", 1)
        backend.store(where, body, f'"{hashlib.md5(body).hexdigest()}"', {})

    def control(self, request):
        body = self.connection.read(request.length)
        what = request.path.removeprefix("/_faults/")
        backend = self.server.backend
        bucket, _, key = urllib.parse.unquote(what.removeprefix("objects/")).partition("/")
        if what == "report":
            answer = Answer(200, {}, json.dumps(self.server.report(), indent=1).encode())
        elif what == "script":
            self.server.load(json.loads(body or "{}"))
            answer = Answer(204)
        elif request.method == "PUT":
            backend.store((bucket, key), body, f'"{hashlib.md5(body).hexdigest()}"', {})
            answer = Answer(204)
        elif (bucket, key) in backend.objects:
            answer = Answer(200, {}, backend.objects[bucket, key].body)
        else:
            answer = error(404, "NoSuchKey")
        self.connection.answer(answer, request)
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--script")
    parser.add_argument("--upstream")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--until-eof", action="store_true")
    options = parser.parse_args()
    settings, context = {}, None
    if options.script:
        with open(options.script, encoding="utf-8") as file:
            settings = json.load(file)
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
    server = Server(settings, options.upstream, context).start()
    print(f"listening {server.port} refusing {server.refusing_port}", flush=True)
    if options.until_eof:
        sys.stdin.read()
    else:
        threading.Event().wait()


if __name__ == "__main__":
    main()
