"""seal_rows.py: rows to receipts on Apache Spark, with the tools as they are in every worker's PATH.

    spark-submit seal_rows.py --rows rows.jsonl --to 's3://imaging/{item}' --team /etc/vault/team.txt \\
        --attempts /shared/attempts --receipts receipts.jsonl --superseded superseded.jsonl

A row is compact JSON with `source` and a `row` number of its own, and no `item`: an attempt that Spark
repeats is another item with another key. One receipt a row counts; whatever else was stored, or may have
been, is listed as superseded. Credentials are read from files on the workers, never from the environment of
the driver. ATTEMPTS is a directory that driver and workers share.

Exit status: 0 each row has a receipt that says stored; 1 some have not (they are told); 73 RECEIPTS is there already;
75 an attempt could not be settled, so that there may be objects that no list has: run it again with --settle, which
starts nothing, reads ATTEMPTS once more, and keeps each receipt that counts in RECEIPTS.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

from pyspark import SparkConf, SparkContext

PASSED_ON = ("PATH", "HOME", "LC_ALL", "TMPDIR")
SECRETS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
           "AWS_CONTAINER_AUTHORIZATION_TOKEN")
HERE = pathlib.Path(__file__).resolve().parent


def environment():
    """What a worker's pipeline sees: where things are, never a secret."""
    return {name: value for name, value in os.environ.items()
            if name in PASSED_ON or name.startswith("AWS_") and name not in SECRETS}


def parsed(options):
    parser = argparse.ArgumentParser()
    for name in ("rows", "to", "team", "attempts", "receipts", "superseded"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--patience", type=int, default=120, help="seconds for an attempt to end")
    parser.add_argument("--settle", action="store_true", help="start nothing, read ATTEMPTS again")
    parser.add_argument("--script", default=str(HERE / "seal_partition.sh"))
    return parser.parse_args(options)


def with_end(rows):
    """The rows of a partition and the line that closes them."""
    count = 0
    for row in rows:
        count += 1
        yield row
    yield json.dumps({"end": True, "rows": count})


def lines_of(text):
    """Not splitlines, which also cuts at characters that a key may have."""
    return [line for line in text.split("\n") if line]


def number_of(line):
    return json.loads(line).get("row", {}).get("row")


def run(settings, rows):
    """The receipts that Spark returned, compared with the rows partition by partition."""
    command = shlex.join(["sh", settings.script, settings.team, settings.to, settings.attempts])
    context = SparkContext(conf=SparkConf().setAppName("vault"))
    try:
        parts = context.parallelize(rows, settings.partitions)
        sealed = parts.mapPartitions(with_end).pipe(command, environment(), checkCode=True)
        pairs = zip(parts.glom().collect(), sealed.glom().collect(), strict=True)
        for number, (wanted, receipts) in enumerate(pairs):
            missing = {json.loads(row)["row"] for row in wanted} - set(map(number_of, receipts))
            if missing:
                print(f"partition {number}: no receipt for {sorted(missing)}", file=sys.stderr)
            yield from receipts
    finally:
        context.stop()


def sweep(journal, patience):
    """What a journal gives back; (done, receipts). An attempt may outlive the executor that began it, and
    holds its journal as long as it lives."""
    until = time.monotonic() + patience
    while True:
        done = subprocess.run(["vault-put", "--sweep", str(journal)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode == 0 or time.monotonic() > until:
            sys.stderr.write(done.stderr.decode(errors="replace") if done.returncode else "")
            return done.returncode == 0, lines_of(done.stdout.decode())
        time.sleep(1)


def every_receipt(attempts, patience, unsettled):
    """What all attempts stored, also those that were killed before they could say so."""
    for journal in sorted(pathlib.Path(attempts).glob("attempt.*.journal")):
        settled, receipts = sweep(journal, patience)
        if not settled:
            unsettled.append(journal)
        yield from receipts
        yield from lines_of(journal.with_suffix("").read_text(encoding="utf-8"))


def settle(receipts):
    """(the receipt that counts for each row, those of other objects)"""
    chosen, seen = {}, {}
    for line in receipts:
        try:
            receipt = json.loads(line)
        except ValueError:
            continue  # the torn last line of an attempt that was killed; its journal knows more
        number = receipt.get("row", {}).get("row")
        best = chosen.get(number)
        if best is None or best["status"] != "stored" and receipt["status"] == "stored":
            chosen[number] = receipt
        known = seen.get(receipt["item"])
        if receipt["status"] in ("stored", "unknown") and (not known or known["status"] != "stored"):
            seen[receipt["item"]] = receipt
    counted = {r["item"] for r in chosen.values() if r["status"] == "stored"}
    return chosen, {item: r for item, r in seen.items() if item not in counted}


def write(path, receipts):
    """The old lines or the new ones, never half of them."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        for receipt in receipts:
            file.write(json.dumps(receipt, separators=(",", ":"), ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def counted_before(receipts):
    """Who has read RECEIPTS counts on these objects: another one of the row stays the superseded one."""
    return lines_of(receipts.read_text(encoding="utf-8")) if receipts.exists() else []


def main(options):
    settings = parsed(options)
    before = counted_before(pathlib.Path(settings.receipts))
    if before and not settings.settle:
        print(f"{settings.receipts} is there already: --settle goes on with it", file=sys.stderr)
        return 73
    rows = lines_of(pathlib.Path(settings.rows).read_text(encoding="utf-8"))
    returned = before if settings.settle else list(run(settings, rows))
    unsettled = []
    chosen, others = settle(
        [*returned, *every_receipt(settings.attempts, settings.patience, unsettled)])
    numbers = [json.loads(row)["row"] for row in rows]
    stored = sum(chosen.get(n, {}).get("status") == "stored" for n in numbers)
    write(settings.receipts, (chosen[n] for n in numbers if n in chosen))
    write(settings.superseded, others.values())
    print(f"{len(rows)} rows, {stored} stored, {len(others)} objects superseded, "
          f"{len(unsettled)} attempts unsettled")
    return 75 if unsettled else 1 if stored < len(rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
