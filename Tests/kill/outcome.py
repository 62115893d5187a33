"""What must hold after every kill, and what it came to."""

import hashlib
import json

from streams import run

NONE, WHOLE, SWEPT = "no object", "whole object with receipt", "recovered by sweep"


def receipts_of(file):
    """The receipts in a file; a last line that a kill cut is none."""
    try:
        with open(file, "rb") as lines:
            return [json.loads(line) for line in lines if line.endswith(b"\n")]
    except FileNotFoundError:
        return []


class Outcome:
    """Looks at a place, sweeps it, and says what does not hold."""

    def __init__(self, place, journal, receipts, key, contents):
        self.place, self.journal, self.key, self.contents = place, journal, key, contents
        self.receipts, self.complaints, self.came = receipts_of(receipts), [], []
        self.recovered = []

    def require(self, holds, what):
        if not holds:
            self.complaints.append(what)
        return holds

    def judge(self, needs_sweep):
        """`needs_sweep`: put was killed, or a request of its may have come late."""
        before = self.place.objects()
        if not needs_sweep:
            self.require(not self.place.leftovers(), f"left open: {self.place.leftovers()}")
            for item in before:
                self.require(self.of(item, "stored", "unknown"), "an object has no receipt")
        self.sweep()
        self.require(not self.place.leftovers(), f"left after the sweep: {self.place.leftovers()}")
        objects = self.place.objects()
        self.require(objects.keys() >= before.keys(), "the sweep took an object away")
        for item, data in objects.items():
            self.judge_object(item, data)
        for receipt in self.receipts:
            if receipt["status"] == "stored":
                self.require(receipt["item"] in objects, "stored is said of what is not there")
        if not objects:
            self.came.append(NONE)

    def sweep(self):
        swept = run("vault-put", "--sweep", self.journal, check=False,
                    environment=self.place.environment)
        self.require(swept.returncode == 0, f"sweep exits {swept.returncode}: {swept.stderr.decode()}")
        self.recovered = [json.loads(line) for line in swept.stdout.splitlines()]
        self.require(all(r["status"] == "stored" and r["recovered"] for r in self.recovered),
                     "a swept receipt is not of a recovered object")

    def of(self, item, *statuses):
        return [r for r in self.receipts if r["status"] in statuses and r["item"] == item]

    def stored(self, item):
        return self.of(item, "stored")

    def judge_object(self, item, data):
        receipts = self.stored(item) or [r for r in self.recovered if r["item"] == item]
        if not self.require(receipts, "an object has no receipt, and the sweep recovers none"):
            return
        self.came.append(WHOLE if self.stored(item) else SWEPT)
        digest = hashlib.sha256(data).hexdigest()
        self.require(receipts[0]["sha256"] == digest, "the receipt is of other bytes")
        opened = run("vault-open", "-i", self.key, data=data, check=False)
        expected = self.contents.get(item, self.contents.get(None))
        self.require(opened.returncode == 0 and opened.stdout == expected,
                     f"the object does not open to what went in (exit {opened.returncode})")


def exit_codes(struck, way, stages, codes, whole):
    """Complaints about exit codes; `stages` are the names of the processes, `struck` one of them."""
    at = stages.index(struck) if struck in stages else -1
    for number, (stage, code) in enumerate(zip(stages, codes)):
        if number < at:
            good = code in (0, -13)  # it had finished, or nobody read on
        elif number == at:
            good = code == (-15 if way == "TERM" else -9)
        else:
            good = code in ((66, 0) if whole else (66,))
        if not good:
            yield f"vault-{stage} exits {code} after {way} of {struck}"


def first_cause(struck, way, stages, receipts):
    """Complaints about what receipts of unfinished items name as the first cause."""
    if struck == "producer":
        stage, name, code = "vault-hash", "command-failed", 66
    elif way == "TERM":
        stage, name, code = f"vault-{struck}", "cancelled", 143
    else:
        after = stages[stages.index(struck) + 1:]
        if not after:
            return
        stage, name, code = f"vault-{after[0]}", "incomplete", 66
    for receipt in receipts:
        error = receipt.get("error") or {}
        if receipt["status"] == "stored":
            continue
        wanted = ("cancelled", "unknown") if struck == "put" else ("incomplete",)
        if receipt["status"] not in wanted:
            yield f"the receipt says {receipt['status']}"
        if (error.get("stage"), error.get("name"), error.get("code")) != (stage, name, code):
            yield f"the receipt names {error.get('stage')} {error.get('name')} {error.get('code')}"
