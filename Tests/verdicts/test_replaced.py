"""test_replaced.py: an object is replaced by each thing that a hostile store may put in its place, and each way
of using it is tried: it succeeds only where the object is the expected one.

Prints a table: a line for each replacement, a column for each way; `+` succeeded, `v` said verified, `.`
refused.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from bed import Report, environment, pipeline, tool
from replacements import ITEM, originals, place, replacements

from fault_server import Server  # noqa: E402 (bed.py shows the way)

# Which kinds each way may succeed on. Proof: only the expected object. A receipt without a digest of the object
# holds for the same body in another envelope. An item id is public: whoever knows it can seal under it.
PROOF = {"good"}
BODY = {"good", "rewrapped"}
SAME_ITEM = {"good", "rewrapped", "same item"}
ANY_OBJECT = SAME_ITEM | {"other item"}
IN_A_PIPE = {"batch of itself"}
FORGED_BATCH = {"forged batch", "forged batch, other slots"}
ANY_BATCH = {"batch of itself", "batch of another", "batch of same item", "batch of two"}


def ways(key, other):
    """(name, commands with OBJECT, kinds that may succeed, kinds that may be verified)"""
    opens = ["vault-open", "-i", key]
    full, bare = ["--expect", "receipt.json"], ["--expect", "bare.json"]
    item = ["--item", ITEM]
    share = ["vault-key", "share", "-i", key, "--add", other]
    yield "open, receipt", [[*opens, *full, "OBJECT"]], PROOF, ()
    yield "open -o, receipt", [[*opens, *full, "-o", "out", "OBJECT"]], PROOF, ()
    yield "open, receipt without digest", [[*opens, *bare, "OBJECT"]], BODY, ()
    yield "open, item", [[*opens, *item, "OBJECT"]], SAME_ITEM, ()
    yield "open", [[*opens, "OBJECT"]], ANY_OBJECT, ()
    yield "range, receipt", [[*opens, "--range", "5-70000", *full, "OBJECT"]], PROOF, ()
    yield "range, item", [[*opens, "--range", "5-70000", *item, "OBJECT"]], SAME_ITEM, ()
    yield "check, receipt", [[*opens, *full, "--check", "OBJECT"]], PROOF, PROOF
    yield "check, receipt without digest", [[*opens, *bare, "--check", "OBJECT"]], BODY, BODY
    yield "check, item", [[*opens, *item, "--check", "OBJECT"]], SAME_ITEM, ()
    yield "check, item and receipt", [[*opens, *item, *full, "--check", "OBJECT"]], PROOF, PROOF
    yield "check", [[*opens, "--check", "OBJECT"]], ANY_OBJECT, ()
    yield "framed, receipt", [[*opens, *full, "--framed", "OBJECT"]], PROOF, ()
    yield "framed, item", [[*opens, *item, "--framed", "OBJECT"]], SAME_ITEM, ()
    yield "inspect", [["vault-open", "--inspect", "OBJECT"]], ANY_OBJECT | {"slice", "slice of another",
                                                                         "other slots"}, ()
    yield "share, receipt", [[*share, *full, "OBJECT"]], PROOF, ()
    yield "share, receipt without digest", [[*share, *bare, "OBJECT"]], BODY, ()
    yield "share, item", [[*share, *item, "OBJECT"]], SAME_ITEM, ()
    yield "share", [[*share, "OBJECT"]], ANY_OBJECT, ()
    yield "cat | check, receipt", [["cat", "OBJECT"], [*opens, *full, "--check"]], PROOF | IN_A_PIPE, \
        PROOF | IN_A_PIPE | {"batch of two"}
    yield "cat | check", [["cat", "OBJECT"], [*opens, "--check"]], ANY_OBJECT | ANY_BATCH, ()
    yield "cat | open, receipt", [["cat", "OBJECT"], [*opens, *full]], PROOF, ()
    yield "cat | framed, receipt", [["cat", "OBJECT"], [*opens, *full, "--framed"]], PROOF | IN_A_PIPE, ()
    yield "cat | share, receipt", [["cat", "OBJECT"], [*share, *full]], PROOF | IN_A_PIPE, ()
    yield "cat | inspect", [["cat", "OBJECT"], ["vault-open", "--inspect"]], \
        ANY_OBJECT | ANY_BATCH | FORGED_BATCH | {"slice", "slice of another", "other slots"}, ()
    yield from fetched(opens, full, "OBJECT")


def fetched(opens, full, source):
    get = ["vault-get", source]
    rows = ["vault-get", "--files", ".", "--rows", "receipt.json"]
    yield "get | open, receipt", [get, [*opens, *full]], PROOF, ()
    yield "get | check, receipt", [get, [*opens, *full, "--check"]], PROOF, PROOF
    yield "get | check", [get, [*opens, "--check"]], ANY_OBJECT, ()
    yield "get --range | open, receipt", [["vault-get", "--range", "5-99", source],
                                         [*opens, *full, "--range", "5-99"]], PROOF, ()
    yield "get --rows | check, receipts", [rows, [*opens, *full, "--check"]], PROOF, PROOF
    yield "get --rows | check --batch", [rows, [*opens, "--batch", "--check"]], PROOF, PROOF
    yield "get --rows | check", [rows, [*opens, "--check"]], PROOF, ()
    yield "get --rows | framed", [rows, [*opens, "--framed"]], PROOF, ()


def over_s3(key):
    opens = ["vault-open", "-i", key]
    for name, commands, may, verified in fetched(opens, ["--expect", "receipt.s3"], "s3://vault-test/object"):
        commands = [["receipt.s3" if word == "receipt.json" else word for word in c] for c in commands]
        yield "S3: " + name, commands, may, verified


class Room:
    """One directory in which the object is replaced."""

    def __init__(self, path, made, server):
        self.path, self.server = path, server
        receipts(path, made.good)
        self.env = environment(AWS_ENDPOINT_URL_S3=server.url)
        self.object = path / "object"

    def run(self, commands):
        """(status of the last stage, all statuses, its output); a run that waits for ever is ended."""
        commands = [["./object" if word == "OBJECT" else word for word in c] for c in commands]
        stages, source = [], subprocess.DEVNULL
        for command in commands:
            stage = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, cwd=self.path, env=self.env)
            if stages:
                stages[-1].stdout.close()
            stages.append(stage)
            source = stage.stdout
        return self.ended(stages)

    def ended(self, stages):
        try:
            out = stages[-1].communicate(timeout=self.patience)[0]
        except subprocess.TimeoutExpired:
            for stage in stages:
                stage.send_signal(signal.SIGTERM)
            out = stages[-1].communicate(timeout=30)[0]
        return [stage.wait(timeout=30) for stage in stages], out

    def replace(self, what):
        self.patience = 2 if what == "fifo" else 60
        holder = place(self.object, what)
        if isinstance(what, bytes):
            self.store(what)
        return holder

    def store(self, body):
        where = f"{self.server.url}/_faults/objects/vault-test/{urllib.parse.quote('object')}"
        urllib.request.urlopen(urllib.request.Request(where, data=body, method="PUT")).close()

    def restore(self, holder):
        if holder:
            holder.kill()
            holder.wait()
        if self.object.is_dir():
            self.object.rmdir()
        self.object.unlink(missing_ok=True)
        (self.path / "out").unlink(missing_ok=True)


def receipts(path, good):
    """The receipt of the good object, the same without its digest and size, and that of the bucket."""
    line = pipeline(["vault-chunk"], ["vault-put", "--overwrite", str(path / "put")], data=good)
    receipt = json.loads(line)
    for name, where in ("receipt.json", "object"), ("receipt.s3", "s3://vault-test/object"):
        (path / name).write_text(json.dumps({**receipt, "object": where}) + "\n")
    bare = {k: v for k, v in receipt.items() if k not in ("sha256", "object_bytes")}
    (path / "bare.json").write_text(json.dumps({**bare, "object": "object"}) + "\n")


def may_end(status, way, kind):
    """A stranger without a key may not choose 64, nor 77 where a receipt shows that the object is another."""
    if status == 77:
        return "other slots" in kind and "receipt" not in way
    return 65 <= status <= 78


def judge(report, room, made, table, what, name, kind):
    marks = ""
    for way, commands, may, verified in table:
        if way.startswith("S3") and not isinstance(what, bytes):
            continue
        (room.path / "out").unlink(missing_ok=True)
        statuses, out = room.run(commands)
        succeeded = statuses[-1] == 0
        says = b'"verified":true' in out
        marks += "v" if says else "+" if succeeded else "."
        # A pipe may lose its first stage's status: the last one must know.
        report.check(succeeded == (kind in may), f"{name} / {way}: {statuses}, expected "
                     f"{'success' if kind in may else 'a refusal'}")
        report.check(says == (kind in verified), f"{name} / {way}: verified is {says}")
        report.check(succeeded or kind == "fifo" or may_end(statuses[-1], way, kind),
                     f"{name} / {way}: {statuses} is a code that a stranger may not choose")
        if "-o" in commands[-1]:
            there = (room.path / "out").exists()
            report.check(there == succeeded, f"{name} / {way}: the output is {'' if there else 'not '}there")
    print(f"  {name:42}{marks}", flush=True)


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        made = originals(path)
        server = Server({"rules": []}).start()
        room = Room(path, made, server)
        other = next(w for w in tool("vault-key", "new").decode().split() if w.startswith("age1"))
        table = [*ways(made.key, other), *over_s3(made.key)]
        for number, (way, *_) in enumerate(table):
            print(f"  column {number + 1:2}: {way}")
        count = 0
        for name, what, kind in replacements(path, made):
            holder = room.replace(what)
            try:
                judge(report, room, made, table, what, name, kind)
            finally:
                room.restore(holder)
            count += 1
        server.close()
        print(f"{count} replacements in {len(table)} ways")
    return report.close("replaced")


if __name__ == "__main__":
    sys.exit(main())
