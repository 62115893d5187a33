"""test_bench.py: what the bench makes of its measurements, without measuring anything."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import arithmetic  # noqa: E402
import bench  # noqa: E402
import plots  # noqa: E402
import runner  # noqa: E402
from goals import BESIDE, GOALS, part_names  # noqa: E402
from parts import load  # noqa: E402
from report import Report  # noqa: E402
from results import Results  # noqa: E402

# The lines of the table, each with its must and its aim, written down a second time.
ASKED = """
vault-hash / ideal C SHA3-256 filter (time) | 1.10 | 1.02
vault-seal / age -r | 0.85 | 0.75
vault-seal / ideal C seal filter at the same chunk size | 1.10 | 1.02
vault-open / age -d, both without a digest of the data (--skip-digest) | 0.60 | 0.50
hash, seal, chunk, put to a file / bare SHA3-256 stream | 1.30 | 1.10
the same / tee >(openssl dgst -sha3-256) \\| age -r \\| cat >file | 0.80 | 0.60
the same with vault-hash --digest sha256 / the sha3 one | 0.70 | 0.55
put to S3 (SeaweedFS, 1 GiB sealed) / best of s5cmd pipe, aws s3 cp -, rclone rcat of the same bytes | 1.00 | 0.70
get from S3 / best of the same three | 1.00 | 0.80
start-up on 1 KiB: hash, seal, open / openssl dgst | 1.50 | 0.80
start-up: put to a file / s5cmd version | 0.30 | 0.10
10,000 rows of 10 KiB, whole pipeline to the directory store | 500 | 3,000
memory at 64 MiB, 1 GiB, 16 GiB: hash, seal, chunk, open | 16 MiB, flat | 10 MiB
memory of put and get at the same sizes | bounds of DESIGN |
time from 1 to 16 GiB | linear within 5 % |
vault-key rewrap of x25519 slots, one core | 2,000 |
vault-key rewrap of key slots, one core | 20,000 |
vault-migrate, rows a second / a Python program with boto3, cryptography and 8 threads | 1.50 |
vault-migrate, rows a second / a script with age and aws s3 cp for each row | 10.00 |
""".strip().splitlines()

passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"failed: {what}: {why}")


def refused(act):
    try:
        act()
    except (runner.BenchError, ValueError):
        return True
    return False


def invented(share):
    """Results with every figure at this share of its must; ratios have the runs that give them."""
    held = {"parts": {}, "runs": {"then": RUN}}
    for goal in GOALS + BESIDE:
        for bar in goal.bars:
            unit = "KiB" if bar.part == "memory" else "ratio"
            part = held["parts"].setdefault(bar.part, {"figures": {}, "runs": {}, "commands": {},
                                                       "bytes": 1 << 30, "run": "then"})
            part["figures"][bar.figure] = arithmetic.figure([share * (bar.must or 1)], unit)
            part["runs"] = {"vault": [1.0, 2.0], "age & <x>": [2.0, 2.5]}
            for size in ("64 MiB", "1 GiB", "16 GiB") if bar.part == "memory" else ():
                part["figures"][f"{bar.figure.split()[0]} {size}"] = arithmetic.figure([9000], "KiB")
    return held


RUN = {"began": "then", "commit": "c", "cpu": "a & b", "cores": 2, "memory": "1 GiB", "kernel": "k",
       "load": 0.1, "versions": {"age": "1.1"}}
EMPTY = {"parts": {}, "runs": {}}


def cells(text):
    """The cells of the first table, by the text of the comparison."""
    table = text.split("\n\n")[2].splitlines()[2:]
    rows = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]
    return {row[0].replace("`", ""): row for row in rows}


def every_row_is_there():
    empty = cells(Report(EMPTY).text())
    check("no more rows than asked for", len(empty) == len(ASKED), sorted(empty))
    for line in ASKED:
        text, must, aim = (c.strip() for c in re.split(r"(?<!\\)\|", line))
        row = empty.get(text, [""] * 6)
        check(f"a row for {text}", row[0] and must in row[2] and aim in row[3], row)
        check(f"nothing is told of {text} unmeasured", row[1] == "" and row[4] == "not measured", row)


def verdicts_are_told():
    for share, most, least in ((1.5, "**missed**", "**reached**"), (0.99, "**reached**", "**missed**")):
        report = Report(invented(share))
        for goal, row in zip(GOALS, cells(report.text()).values()):
            wanted = least if goal.least else most
            if goal.name == "memory" and share < 1:
                wanted = "**reached**"
            check(f"{goal.name} at {share} of its must", wanted in row[4], row)
            check(f"{goal.name} names its run", row[5] == "1", row)
    half = invented(0.99)
    del half["parts"]["startup"]["figures"]["open"]
    check("a row that lacks a figure is not reached",
          cells(Report(half).text())[ASKED[9].split(" | ")[0]][4] == "not measured")


def misses_need_a_note():
    text = Report(invented(1.5), "### hash\n\nTried this.").text()
    check("a miss without a note says so", "\n- `seal-age`: `vault-seal` / `age -r`\n" in text)
    check("a miss with a note does not", "\n- `hash`: " not in text)
    check("the notes are there as they are", "### hash\n\nTried this." in text)


def arithmetic_is_right():
    figure = arithmetic.paired_ratio([1.0, 9.0, 3.0], [2.0, 3.0, 3.0])
    check("the median of paired ratios", (figure["value"], figure["low"], figure["high"]) == (1, .5, 3))
    check("an even count", arithmetic.figure([4, 1, 2, 3], "ms")["value"] == 2.5)
    many = arithmetic.figure([1.0] * 50 + [2.0] * 49 + [900.0], "ms")
    check("of many the middle half", (many["low"], many["high"]) == (1, 2), many)
    check("a pair for each round", refused(lambda: arithmetic.paired_ratio([1.0], [1.0, 2.0])))
    best = arithmetic.against_best({"us": [2, 2, 2], "a": [4, 1, 4], "b": [3, 3, 2]}, "us", ("a", "b"))
    check("the best peer is of the least median", (best["value"], best["note"]) == (2 / 3, "best: b"))
    rate = arithmetic.rate(100, [1.0, 2.0, 4.0], "rows/s")
    check("a rate", (rate["value"], rate["low"], rate["high"]) == (50, 25, 100))
    check("at most", arithmetic.verdict(1.1, 1.1, 1.0) == "reached")
    check("over it", arithmetic.verdict(1.11, 1.1, 1.0) == "missed")
    check("at least", arithmetic.verdict(500, 500, 3000, least=True) == "reached")
    check("the aim", arithmetic.verdict(3000, 500, 3000, least=True) == "aim reached")
    check("a drift to less", arithmetic.verdict(-5.1, 5, None) == "missed")
    check("the worst counts", arithmetic.worst(["aim reached", "missed", "reached"]) == "missed")
    check("nothing is no success", arithmetic.worst([]) == "not measured")


def turns_are_fair():
    names = ["a", "b", "c"]
    rounds = [runner.turn(names, n) for n in range(6)]
    check("all run in each round", all(sorted(r) == names for r in rounds))
    for end in (0, -1):
        check("each is first and last as often", sorted(r[end] for r in rounds) == sorted(names * 2), rounds)
    before = [sum(r.index(a) < r.index(b) for r in rounds) for a, b in ("ab", "ac", "bc")]
    check("each goes before each other as often", before == [3, 3, 3], before)
    runs = runner.in_turns({"a": runner.Contestant(":"), "b": runner.Contestant(":")}, 3)
    check("warm-up does not count", [len(r) for r in runs.values()] == [3, 3])
    check("a stage that fails gives no number", refused(lambda: runner.shell("false | cat >/dev/null")))
    check("a program that fails gives no number", refused(lambda: runner.spawn(runner.Program(("false",)))))


def results_are_kept(folder):
    results = Results(folder / "deep/results.json")
    results.keep("hash", {"figures": {"a": 1 / 3}}, RUN)
    results.keep("seal", {"figures": {}}, {**RUN, "commit": "d"})
    held = results.read()
    check("others keep their last result", held["parts"]["hash"]["figures"]["a"] == 0.33333, held)
    check("each names its run", held["parts"]["seal"]["run"] == "then d" and len(held["runs"]) == 2)
    results.keep("hash", {"figures": {}}, {**RUN, "commit": "d"})
    check("a run of no part goes", list(results.read()["runs"]) == ["then d"])
    places = bench.places(quick=True)
    check("a quick run writes no docs", all(".build" in p.parts and "docs" not in p.parts for p in places))


def pictures_are_drawn(folder):
    drawn = plots.draw(invented(0.9), folder)
    check("three pictures", sorted(drawn) == ["memory", "ratios", "speeds"], drawn)
    for name in drawn:
        text = (folder / f"{name}.svg").read_text()
        check(f"{name} is well-formed", xml.etree.ElementTree.fromstring(text).tag.endswith("svg"))
        check(f"{name} follows light and dark", "prefers-color-scheme:dark" in text)
    check("nothing is drawn of nothing", plots.draw(EMPTY, folder) == {})


def parts_are_there():
    served = {"put", "get", "memory"}  # these import boto3, which is in the bench's own Python
    for name in part_names():
        there = (HERE / f"parts/{name}.py").is_file()
        check(f"a part {name}", there and (name in served or callable(load(name).run)))
    migration = load("migration")
    lines = [{"name": name, "rows_per_second": rate} for name, rate in (
        ("age-aws", 2), ("python", 100), ("vault-migrate", 200), ("vault-migrate", 500), ("vault-verify", 7))]
    found = migration.figures_of(migration.rates_of("\n".join(["ready", *map(json.dumps, lines), "{}"])))
    check("the migration's ratios", (found["python"]["value"], found["script"]["value"]) == (2, 100), found)
    check("the migration's rates", found["vault-verify rows"]["value"] == 7, found)


def yardsticks_do_the_work(folder):
    for name in ("hash", "seal"):
        subprocess.run(["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-o", folder / name,
                        HERE / f"ideal-{name}.c", "-lcrypto"], check=True)
    for size in (0, 1, 16383, 16384, 16385, 1 << 20, (1 << 20) + 1, 3 << 20):
        data = bytes(range(251)) * (size // 251 + 1)
        data = data[:size]
        done = subprocess.run([folder / "hash"], input=data, capture_output=True, check=True)
        check(f"ideal-hash of {size}", done.stdout == data and
              done.stderr.decode().strip() == hashlib.sha3_256(data).hexdigest())
        done = subprocess.run([folder / "seal"], input=data, capture_output=True, check=True)
        check(f"ideal-seal of {size}", len(done.stdout) == size + 16 * (size // 16384 + 1),
              len(done.stdout))


def main():
    every_row_is_there()
    verdicts_are_told()
    misses_need_a_note()
    arithmetic_is_right()
    turns_are_fair()
    parts_are_there()
    with tempfile.TemporaryDirectory() as name:
        results_are_kept(pathlib.Path(name))
        pictures_are_drawn(pathlib.Path(name))
        yardsticks_do_the_work(pathlib.Path(name))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
