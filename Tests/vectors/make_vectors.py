#!/usr/bin/env python3
"""Makes the vector files beside it, and the worked example of docs/FORMAT.md, clause 12.

    make_vectors.py            writes the files that differ, removes those it does not know
    make_vectors.py --check    writes nothing; fails when a file or the example is stale
    make_vectors.py --example  prints the example
    make_vectors.py --write    puts the example into docs/FORMAT.md
"""

import argparse
import collections
import sys
from pathlib import Path

import cases_batch
import cases_envelope
import cases_parts
import cases_plain
import cases_sealed
import cases_space
import example
import self_check
from vector import VECTORS

HERE = Path(__file__).resolve().parent
FORMAT = HERE.parent.parent / "docs" / "FORMAT.md"


def all_vectors() -> dict[str, bytes]:
    for cases in (cases_plain, cases_batch, cases_sealed, cases_envelope, cases_parts,
                  cases_space):
        cases.all_cases()
    return VECTORS


def on_disk() -> dict[str, Path]:
    folders = (folder for folder in HERE.iterdir() if folder.is_dir())
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return {str(f.relative_to(HERE)): f for f in files if "__pycache__" not in f.parts}


def stale(wanted: dict[str, bytes]) -> list[str]:
    there = on_disk()
    other = (n for n, raw in wanted.items() if n not in there or there[n].read_bytes() != raw)
    return sorted([*other, *(there.keys() - wanted.keys())])


def write(wanted: dict[str, bytes]) -> None:
    for name in stale(wanted):
        if name not in wanted:
            (HERE / name).unlink()
            continue
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_bytes(wanted[name])


def count(wanted: dict[str, bytes]) -> None:
    results = collections.Counter(
        next(line for line in raw.split(b"\n") if line.startswith(b"expect: ")) for raw in
        wanted.values()
    )
    for result, number in sorted(results.items(), key=lambda pair: -pair[1]):
        print(f"{number:4} {result.decode()[8:]}")
    print(f"{len(wanted):4} files, {sum(map(len, wanted.values())):,} bytes")


def check(wanted: dict[str, bytes]) -> int:
    wrong = [f"Tests/vectors/{name}" for name in stale(wanted)]
    if example.placed(FORMAT.read_text()) != FORMAT.read_text():
        wrong.append("docs/FORMAT.md, clause 12")
    for name in wrong:
        print(f"make_vectors.py: error: {name} is stale", file=sys.stderr)
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    one = parser.add_mutually_exclusive_group()
    for name in ("check", "example", "write"):
        one.add_argument("--" + name, action="store_true")
    asked = parser.parse_args()
    self_check.all_checks()
    if asked.example:
        print(example.shown())
        return 0
    if asked.write:
        FORMAT.write_text(example.placed(FORMAT.read_text()))
        return 0
    wanted = all_vectors()
    if asked.check:
        return check(wanted)
    write(wanted)
    count(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
