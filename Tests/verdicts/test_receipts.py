"""test_receipts.py: a receipt is held against its object in each of its members, and files of receipts in each
of their lines. The table of docs/SECURITY.md, "What a receipt is held against", is this one."""

import json
import pathlib
import subprocess
import sys
import tempfile

from bed import Report, environment, pipeline, tool
from replacements import ITEM, OTHER, batch, originals

GOOD, BAD = "verified", "refused"
NUMBERS = ("object_bytes", "data_bytes", "parts")
# What --check says when a member is changed, and when it is dropped. Another type, and a member that stands
# twice, make a line that is no receipt.
MEMBERS = {
    "receipt": (BAD, BAD), "item": (BAD, BAD), "status": (BAD, BAD), "object": (GOOD, GOOD),
    "object_bytes": (BAD, GOOD), "data_bytes": (BAD, GOOD), "parts": (BAD, GOOD), "sha256": (BAD, GOOD),
    "parts_sha256": (BAD, GOOD), "body": (BAD, GOOD), "envelope": (BAD, GOOD), "name": (BAD, GOOD),
    "media_type": (BAD, GOOD), "sha3_256": (BAD, GOOD), "data_sha256": (BAD, GOOD), "etag": (GOOD, GOOD),
    "version_id": (GOOD, GOOD), "token": (GOOD, GOOD), "proof": (BAD, GOOD), "create": (GOOD, GOOD),
    "stored_at": (GOOD, GOOD), "recovered": (GOOD, GOOD), "row": (GOOD, GOOD), "error": (GOOD, GOOD),
}


def receipt_of(room, made):
    """A receipt that has every member, and its object."""
    reader = tool("vault-key", "public", made.key).decode().strip()
    plain = tool("vault-hash", "--item", ITEM, "--also", "sha256", "--name", "scan.dcm", "--media-type",
                 "application/dicom", data=made.data)
    stream = tool("vault-seal", "-r", reader, "--disclose", "name,media-type,digest", data=plain)
    line = pipeline(["vault-chunk"], ["vault-put", str(room / "object")], data=stream)
    receipt = json.loads(line)
    extra = {"etag": '"x"', "version_id": "v", "recovered": True, "row": {"id": 1},
             "parts_sha256": None, "error": None}
    return {**receipt, **extra}


def changed(name, receipt, made):
    value = receipt.get(name)
    known = {
        "receipt": "vault/2", "item": OTHER, "status": "failed", "object": "elsewhere", "parts": 9,
        "parts_sha256": "A" * 43 + "=-2", "proof": "hearsay", "recovered": False, "row": {"id": 2},
        "body": json_body(made.older), "envelope": envelope(made.older),
        "error": {"stage": "vault-put", "code": 74, "name": "write-failed", "message": "x"},
    }
    if name in known:
        return known[name]
    if name in NUMBERS:
        return value + 1
    if name in ("sha256", "sha3_256", "data_sha256"):
        return value[::-1] if value[::-1] != value else "0" * 64
    return "another"


def envelope(data):
    return data[24:24 + int.from_bytes(data[12:16], "big")].decode()


def json_body(data):
    return envelope(data).split("\n")[2].split(" ", 1)[1]


def other_type(name, receipt):
    return "7" if name in NUMBERS else 7


class Room:
    def __init__(self, path, made):
        self.path, self.made = path, made

    def check(self, text, *more, objects=("object",), mode="--check"):
        (self.path / "receipts").write_text(text)
        done = subprocess.run(
            ["vault-open", "-i", self.made.key, "--expect", "receipts", mode, *more, *objects],
            cwd=self.path, capture_output=True, env=environment(), timeout=60, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return done.returncode, lines, done.stderr.decode()


def members(report, room, receipt):
    whole = {k: v for k, v in receipt.items() if v is not None}
    status, lines, _ = room.check(json.dumps(whole))
    compared = lines[0]["compared"]
    report.check(status == 0 and lines[0]["verified"] is True, f"the receipt itself: {status}")
    report.check(set(compared) == {"item", "body", "envelope", "object_bytes", "data_bytes", "sha256", "sha3_256",
                                   "data_sha256", "name", "media_type"}, f"compared: {compared}")
    for name, (if_changed, if_dropped) in MEMBERS.items():
        expect(report, room, f"{name} changed", {**whole, name: changed(name, receipt, room.made)}, if_changed)
        expect(report, room, f"{name} dropped", {k: v for k, v in whole.items() if k != name}, if_dropped)
        expect(report, room, f"{name} of another type", {**whole, name: other_type(name, receipt)}, BAD)
        doubled = json.dumps(whole)[:-1] + f', {json.dumps(name)}: {json.dumps(whole.get(name, 1))}}}'
        if name in whole:
            expect(report, room, f"{name} twice", doubled, BAD)


def expect(report, room, what, receipt, wanted):
    status, lines, said = room.check(receipt if isinstance(receipt, str) else json.dumps(receipt))
    verified = any(line.get("verified") is True for line in lines)
    found = GOOD if status == 0 and verified else BAD
    report.check(found == wanted and (found == GOOD or status == 65), f"{what}: {status}, {lines}, {said}")
    report.check(found == GOOD or not verified, f"{what}: verified and refused")


def counted(last):
    """What the last line counts, without what it counts none of."""
    return {k: v for k, v in {**last.get("results", {}), **last}.items() if k not in ("verdicts", "results") and v}


def many(report, room, receipt):
    """What a run over many says of each, and the worst of it."""
    whole = json.dumps({k: v for k, v in receipt.items() if v is not None})
    made = room.made
    (room.path / "other").write_bytes(made.other)
    (room.path / "junk").write_text("no object")
    other = json.dumps({"receipt": "vault/1", "item": OTHER, "status": "stored",
                        "envelope": envelope(made.other), "object": "gone"})
    failed = json.dumps({"receipt": "vault/1", "status": "failed"})

    def counts(text, *more, objects=("object",)):
        status, lines, said = room.check(text, *more, objects=objects)
        return status, counted(lines[-1] if lines else {}), lines[:-1], said

    status, found, lines, _ = counts(f"{whole}\n{other}\n", objects=("object", "other"))
    report.check((status, found) == (0, {"verified": 2, "receipts": 2}), f"two of two: {status} {found}")
    status, found, lines, said = counts(f"{whole}\n{other}\n")
    report.check((status, found) == (66, {"verified": 1, "missing": 1, "receipts": 2}), f"missing: {found}")
    report.check(lines[1]["object"] == "gone" and lines[1]["result"] == "missing", f"missing: {lines}")
    report.check("line 2" in said, f"missing is said with its line: {said}")
    status, found, *_ = counts(f"{whole}\n", objects=("object", "other"))
    report.check((status, found) == (65, {"verified": 1, "unexpected": 1, "receipts": 1}), f"{found}")
    status, found, lines, _ = counts(f"{whole}\n", objects=("object", "object"))
    report.check(status == 65 and lines[1]["error"]["name"] == "judged-twice", f"twice: {lines}")
    status, found, *_ = counts(f"{whole}\n{failed}\n{failed}\n")
    report.check((status, found) == (0, {"verified": 1, "receipts": 1, "not_stored": 2}), f"{found}")
    status, found, _, said = counts(f"\n{whole[:50]}{whole}\nforeign\n\n{whole}\n{{}}\n")
    report.check((status, found) == (65, {"verified": 1, "receipts": 1, "bad_lines": 3}), f"torn: {found}")
    report.check(all(f"line {n} " in said for n in (2, 3, 6)), f"torn lines are numbered: {said}")
    status, found, lines, _ = counts(f"{whole}\n", objects=("junk", "nowhere", "object", "other"))
    report.check((status, found) == (65, {"verified": 1, "unexpected": 2, "unread": 1, "receipts": 1}), f"{found}")
    status, found, *_ = counts(f"{whole}\n", objects=("gone",))
    report.check((status, found) == (66, {"missing": 1, "unread": 1, "receipts": 1}), f"gone: {status} {found}")
    status, found, _, said = counts("\n\n" + whole, objects=("other",))
    report.check("line 3\n" in said, f"the line of a receipt after empty ones: {said}")
    status, found, _, said = counts(f"{whole}\n" + "x" * (1 << 21) + f"\n{other}\n", objects=("object", "other"))
    report.check((status, found.get("verified"), found.get("bad_lines")) == (65, 2, 1), f"a long line: {found}")
    worst(report, room, whole)
    status, found, lines, _ = counts(f"{whole}\n", "--quiet", objects=("object",))
    report.check((status, found, lines) == (0, {"verified": 1, "receipts": 1}, []), f"quiet: {lines}")
    status, found, lines, _ = counts(f"{whole}\n{other}\n", "--quiet", objects=("object", "junk"))
    report.check([v["result"] for v in lines] == ["unexpected", "missing"], f"quiet: {lines}")
    pretty = json.dumps(json.loads(whole), indent=2)
    status, found, *_ = counts(pretty)
    report.check((status, found) == (0, {"verified": 1, "receipts": 1}), f"one on several lines: {found}")
    for text, why in ("", "empty"), (f"{failed}\n", "none stored"), ("junk\n", "foreign"):
        status, lines, said = room.check(text)
        report.check(status == 65 and not lines, f"{why}: {status} {said}")
    for mode in "--framed", "--skip-digest":
        status, lines, said = room.check(f"{whole}\n{other}\n", mode=mode) if mode == "--skip-digest" else \
            (65, [], "")
        report.check(status == 65, f"one object is opened, two are expected: {mode} {status}")
    through_pipes(report, room, whole, other)


def worst(report, room, whole):
    """The order of the objects of a batch does not choose the status, and each bad one is said by its item."""
    good = (room.path / "object").read_bytes()
    bad = bytearray(room.made.other)
    bad[-200] ^= 1
    foreign = pipeline(["vault-hash"], ["vault-seal", "-r", next(
        w for w in tool("vault-key", "new").decode().split() if w.startswith("age1"))], data=b"foreign")
    for order in (foreign, bytes(bad), good), (bytes(bad), good, foreign), (good, foreign, bytes(bad)):
        done = subprocess.run(["vault-open", "-i", room.made.key, "--check"], input=batch(*order), check=False,
                              capture_output=True, env=environment(), timeout=60)
        said = done.stderr.decode()
        report.check(done.returncode == 65 and f"item {OTHER}:" in said and "no key" in said, f"worst: {said}")


def through_pipes(report, room, whole, other):
    (room.path / "receipts").write_text(f"{whole}\n{other}\n")
    rows = "\n".join(json.dumps({**json.loads(line), "object": where}) for line, where in
                     ((whole, "object"), (other, "other"))) + "\n"
    gone = rows.replace('"other"', '"gone"')
    for text, wanted, results in (rows, 0, {"verified": 2}), (gone, 66, {"verified": 1, "missing": 1}):
        (room.path / "rows").write_text(text)
        shell = (f"vault-get --files . --rows rows | vault-open -i '{room.made.key}' --expect receipts --check")
        done = subprocess.run(["bash", "-c", shell], cwd=room.path, capture_output=True, check=False,
                              env=environment(), timeout=60)
        last = json.loads(done.stdout.splitlines()[-1])
        found = {k: v for k, v in last["results"].items() if v}
        report.check((done.returncode, found) == (wanted, results), f"get --rows: {done.returncode} {last}")
    read = f"cat receipts | vault-open -i '{room.made.key}' --expect - --check object other"
    done = subprocess.run(["bash", "-c", read], cwd=room.path, capture_output=True, check=False,
                          env=environment(), timeout=60)
    report.check(done.returncode == 0, f"receipts from a pipe: {done.returncode} {done.stderr}")


def rewrapped(report, room, receipt):
    """Another envelope with the same body is said, and is the object only where no digest says otherwise."""
    whole = {k: v for k, v in receipt.items() if v is not None}
    reader = next(w for w in tool("vault-key", "new").decode().split() if w.startswith("age1"))
    shared = tool("vault-key", "share", "-i", room.made.key, "--add", reader, str(room.path / "object"))
    (room.path / "shared").write_bytes(shared)
    bare = {k: v for k, v in whole.items() if k not in ("sha256", "object_bytes")}
    status, lines, _ = room.check(json.dumps(bare), objects=("shared",))
    report.check(status == 0 and lines[0].get("envelope") == "rewrapped", f"rewrapped object: {lines}")
    status, lines, _ = room.check(json.dumps(whole), objects=("shared",))
    report.check(status == 65 and lines[0]["result"] == "wrong", f"rewrapped object, digest: {lines}")
    (room.path / "one.jsonl").write_text(json.dumps(whole) + "\n")
    moved = tool("vault-key", "share", "-i", room.made.key, "--receipts", "--add", reader,
                 str(room.path / "one.jsonl"))
    status, lines, _ = room.check(moved.decode(), objects=("object",))
    report.check(status == 0 and lines[0].get("envelope") == "rewrapped", f"rewrapped receipt: {lines}")
    report.check(lines[0]["verified"] is True, f"rewrapped receipt: {lines}")


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        made = originals(path)
        receipt = receipt_of(path, made)
        room = Room(path, made)
        members(report, room, receipt)
        many(report, room, receipt)
        rewrapped(report, room, receipt)
    return report.close("judged")


if __name__ == "__main__":
    sys.exit(main())
