"""vault-put --state, killed again and again and run again with the same input: the same receipt, and
an object equal to what vault-seal wrote."""

import hashlib
import pathlib
import random
import subprocess

from holds import proxy
from outcome import receipts_of
from pipeline import Pipeline, until
from streams import ENVIRONMENT, frames, run

SAME = ["item", "status", "object", "object_bytes", "data_bytes", "parts", "sha256", "parts_sha256",
        "body", "envelope", "token"]
KILLS = 10


class ResumeCase:
    def __init__(self, streams, make_place):
        self.streams, self.make_place = streams, make_place
        self.complaints = []

    def name(self):
        return f"{self.make_place.kind}: vault-put --state, killed {KILLS} times"

    def require(self, holds, what):
        if not holds:
            self.complaints.append(what)

    def run(self, room):
        self.room, self.place = pathlib.Path(room), self.make_place(room)
        self.state, self.receipts = str(self.room / "state"), str(self.room / "receipts")
        self.parts = self.streams.single.inputs["put"]
        self.command = ["vault-put", "--state", self.state, self.place.destination]
        for _ in range(KILLS):
            self.kill_once()
        self.require(not receipts_of(self.receipts), "a receipt of a run that was killed")
        first = self.finish("the run that is let")
        again = self.finish("a run after the end")
        self.require(all(first.get(k) == again.get(k) for k in SAME), "another receipt comes out")
        vault = pathlib.Path(self.streams.single.inputs["chunk"]).read_bytes()
        self.require(list(self.place.objects().values()) == [vault], "the object is another")
        self.require(first.get("sha256") == hashlib.sha256(vault).hexdigest(), "another digest")
        self.refuse_others(vault)
        self.require(not self.place.leftovers(), "an upload is left open")
        return self.complaints, ["resumed"], KILLS

    def kill_once(self):
        size = pathlib.Path(self.parts).stat().st_size
        pipeline = Pipeline([self.command], 0, self.parts, self.receipts, self.place.environment)
        try:
            pipeline.gate.feed(random.randrange(size))
            pipeline.settle(pipeline.processes[0].pid)
            pipeline.strike(pipeline.processes[0].pid, "KILL")
            self.require(pipeline.wait() == [-9], "a run ended before it was killed")
        finally:
            pipeline.clean()

    def put(self, parts, state=None):
        command = ["vault-put", "--state", state or self.state, self.place.destination]
        return run(*command, file=parts, check=False, environment=self.place.environment)

    def finish(self, which):
        done = self.put(self.parts)
        self.require(done.returncode == 0, f"{which} exits {done.returncode}: {done.stderr.decode()}")
        (self.room / "one").write_bytes(done.stdout)
        return (receipts_of(self.room / "one") or [{}])[0]

    def refuse_others(self, vault):
        other = self.streams.small.inputs["put"]
        self.require(self.put(other).returncode == 65, "another object is not refused")
        changed = bytearray(vault)
        changed[3_000_000] ^= 1
        parts = self.room / "changed"
        parts.write_bytes(run("vault-chunk", "--part-size=5MiB", data=bytes(changed)).stdout)
        code = self.put(parts).returncode
        self.require(code == 65, f"the same envelope with other bytes exits {code}")


class PagedResume:
    """Parts that are listed on several pages are all kept, and only the others are sent."""

    def __init__(self, streams):
        self.streams = streams

    def name(self):
        return "fault server: vault-put --state, parts listed page by page"

    def run(self, room):
        server = proxy(None)
        server.load({"page_size": 1, "allow": ["expect"]})
        command = ["vault-put", "--jobs=1", "--state", str(room / "state"), "s3://vault-test/{item}"]
        environment = {"AWS_ENDPOINT_URL_S3": server.url, "AWS_ACCESS_KEY_ID": "testkey",
                       "AWS_SECRET_ACCESS_KEY": "testsecretkey0123456789", "AWS_REGION": "us-east-1"}
        parts = self.streams.single.inputs["put"]
        whole = pathlib.Path(parts).read_bytes()
        before = [end for letter, _, end in frames(whole) if letter == "P"][-1]
        pipeline = Pipeline([command], 0, parts, str(room / "receipts"), environment)
        pipeline.gate.feed(before)
        pipeline.settle(pipeline.processes[0].pid)
        state = room / "state"
        until(lambda: state.read_bytes().count(b'"event":"part"') == 3, "three parts")
        pipeline.strike(pipeline.processes[0].pid, "KILL")
        pipeline.clean()
        upload = next(iter(server.backend.uploads.values()))
        lost = upload.parts.pop(2, None)  # the server has lost one since
        done = subprocess.run(command, stdin=open(parts, "rb"), stdout=subprocess.PIPE, timeout=60,
                              stderr=subprocess.PIPE, env={**ENVIRONMENT, **environment}, check=False)
        checks = [(lost, "part 2 was not there"), (done.returncode == 0, f"exit {done.returncode}"),
                  (server.requests["UploadPart"] == 4, f"{server.requests['UploadPart']} parts sent"),
                  (server.requests["ListParts"] == 2, f"{server.requests['ListParts']} pages asked"),
                  (len(server.backend.objects) == 1, "no object")]
        server.close()
        return [what for holds, what in checks if not holds], ["resumed"], 1
