"""One connection of the fault server: reads requests, checks them, lets the script spoil the answer."""

import hashlib
import json
import time
import urllib.parse

import actions
import checks
import issuer
from answers import error
from mini_s3 import kind_of
from wire import Answer, Gone


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
        return self.server.config["keep_alive"] is True and asked != "close"

    def one(self):
        self.entry = None
        request = self.connection.read_request(self.server.config["idle_seconds"])
        self.connection.announces_end = self.server.config["keep_alive"] == "announced"
        self.request = request
        if request.path.startswith("/_faults/"):
            return self.control(request)
        if not self.counted:
            self.counted = True
            self.server.connections += 1
        kind = issuer.kind_of(request) or kind_of(request)
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
        answer = refusal or self.handle(kind, request)
        answer.headers.setdefault("Date", self.server.now().strftime("%a, %d %b %Y %H:%M:%S GMT"))
        self.entry["status"] = answer.status
        if name in actions.AFTER and not refusal:
            return actions.AFTER[name](self, request, rule, answer)
        self.connection.answer(answer, request)
        return True

    def handle(self, kind, request):
        if kind in issuer.KINDS:
            return self.server.issuer.handle(kind, request, self.server.now())
        return self.server.backend.handle(kind, request)

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
        refusal = None
        found = list(self.complaints(kind, request))
        for name, code in found:
            if name not in ("region", "clock", "session-expired"):  # a fault of the script, not of the client
                with self.server.lock:
                    self.server.violations.append({"kind": kind, "key": request.key, "what": name})
            if code and not refusal:
                refusal = self.refuse(code)
        return refusal

    def complaints(self, kind, request):
        config, now = self.server.config, self.server.now()
        yield from checks.framing(request)
        if kind in issuer.KINDS:
            yield from self.server.issuer.complaints(kind, request, now)
            return
        yield from checks.payload(request, kind, config["allow"])
        yield from checks.intent(request, kind, config["expect"], config["allow"])
        if config["verify"]:
            yield from checks.signature(request, config, now)

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
