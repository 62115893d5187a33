"""Many small objects: rows of 10 KiB through the whole pipeline into the directory store."""

import json
import os
import pathlib

from arithmetic import rate
from parts import commands, told
from runner import BenchError, Contestant, in_turns

SIZE = 10 * 1024
PIPELINE = ("vault-get --as plain --rows rows.jsonl --rows-end | vault-hash --framed | "
            "vault-seal -R team.txt | vault-chunk | "
            "vault-put --make-directories 'rows.store/{item}' >rows.receipts")
SCRIPT = ("mkdir -p script; ls legacy | sed -n 1,%dp | while read -r name; do "
          "openssl dgst -sha3-256 legacy/$name >>script/sums && "
          "age -R team.txt <legacy/$name >script/$name.age || exit; done")


def make_rows(count):
    os.makedirs("legacy", exist_ok=True)
    with open("rows.jsonl", "w", encoding="ascii") as rows:
        for number in range(count):
            name = f"legacy/{number:06}"
            pathlib.Path(name).write_bytes(os.urandom(SIZE))
            rows.write(json.dumps({"source": name, "bytes": SIZE}) + "\n")
        rows.write(json.dumps({"end": True, "rows": count}) + "\n")


def stored(count):
    with open("rows.receipts", encoding="utf-8") as lines:
        found = sum(json.loads(line)["status"] == "stored" for line in lines)
    if found != count:
        raise BenchError(f"{found} of {count} rows were stored")


def run(room):
    count, few = room.scaled(10000, 100), room.scaled(500, 20)
    make_rows(count)
    inputs = tuple(f"legacy/{n:06}" for n in range(count))
    contestants = {
        "pipeline": Contestant(PIPELINE, inputs, ("rows.store",)),
        "script": Contestant(SCRIPT % few, inputs[:few], ("script",)),
    }
    runs = in_turns(contestants, room.scaled(5, 1))
    stored(count)
    figures = {"rows": rate(count, runs["pipeline"], "rows/s"),
               "script": rate(few, runs["script"], "rows/s")}
    return told(figures, runs, commands(contestants))
