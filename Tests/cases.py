"""cases.py: every row of docs/CASES.md names a test that is there, and every reported case has a row.

The reported cases are in ../shared/cases.tsv; where that file is missing only the list itself is checked.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTED = ROOT.parent / "shared/cases.tsv"
AREAS = {"pipes", "multipart", "http", "crypto", "memory", "platform", "observability",
         "range", "migration", "keys", "progress"}
NAMES = re.compile(r'\bfunc \w+|@Test\(\s*"[^"]*"|\bdef test_\w+|\b(?:whole|parts)\(f?"[^"]*"|'
                   r'\byield f?"[^"]*"|\b(?:echo|say) "[^"]*"|\b(?:echo|say) \'[^\']*\'')


def rows():
    """(id, the last column) of each row."""
    for line in (ROOT / "docs/CASES.md").read_text().splitlines():
        found = re.match(r"\| ([A-Z]\d\d) \| .* \| (.*) \|$", line)
        if found:
            yield found.groups()


def trouble(case, says):
    files = re.findall(r"`(Tests/[\w./-]+)`", says)
    if not files:
        return None if says.startswith("cannot apply: ") else "names no test and gives no reason"
    for file in files:
        if not (ROOT / file).is_file():
            return f"names {file}, which is not there"
        names = " ".join(NAMES.findall((ROOT / file).read_text()))
        if not re.search(rf"(?<![A-Za-z0-9]){case}(?!\d)", names, re.IGNORECASE):
            return f"names {file}, which has no test of that id"
    return None


def main():
    listed, passed, failed, skipped = list(rows()), 0, 0, 0
    ids = [case for case, _ in listed]
    bad = [(case, trouble(case, says)) for case, says in listed]
    bad += [(case, "has two rows") for case in set(ids) if ids.count(case) > 1]
    if REPORTED.is_file():
        lines = [line.split("\t") for line in REPORTED.read_text().splitlines()[1:]]
        wanted = {line[0] for line in lines if line[2] in AREAS}
        bad += [(case, "has no row" if case not in ids else None) for case in sorted(wanted)]
    else:
        print("skipped: cases.tsv is missing")
        skipped = 1
    for case, what in bad:
        passed, failed = passed + (not what), failed + bool(what)
        if what:
            print(f"failed: {case} {what}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
