"""bench.py [--quick] [--only NAME,NAME] [--inside]: measures the parts and writes docs/BENCHMARKS.md.

Parts that need an S3 server run in a second process of this program inside Tests/servers/with-servers.sh
(--inside). A quick run has small inputs and one round, and writes to .build/bench/quick only. It fails
when a command failed, never because of a time.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import plots
from goals import part_names
from machine import run_record
from parts import SERVED, load
from report import Report
from results import Results
from room import BUILT, ROOT, room, tools_on_path
from runner import BenchError

NOTES = ROOT / "Tests/Bench/notes.md"


def arguments():
    parser = argparse.ArgumentParser(prog="bench.py")
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--inside", action="store_true")
    chosen = parser.parse_args()
    chosen.only = [n for n in chosen.only.split(",") if n] or part_names()
    unknown = set(chosen.only) - set(part_names())
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(part_names())}")
    return chosen


def places(quick):
    """Where the results, the text and the pictures go."""
    if quick:
        home = BUILT / "quick"
        return home / "results.json", home / "BENCHMARKS.md", home / "bench"
    return ROOT / "docs/bench/results.json", ROOT / "docs/BENCHMARKS.md", ROOT / "docs/bench"


def measure(names, quick, results, run):
    """Measures parts and keeps each as soon as it is there; gives the number of those that failed."""
    failed = 0
    with room(quick) as here:
        for name in names:
            begun = time.monotonic()
            try:
                results.keep(name, load(name).run(here), run)
                state = "measured"
            except BenchError as error:
                failed, state = failed + 1, f"failed: {error}"
            print(f"bench: {name}: {state}, {time.monotonic() - begun:.0f} s", flush=True)
    return failed


def served(names, quick, run):
    command = ["Tests/servers/with-servers.sh", sys.executable, __file__, "--inside", "--only",
               ",".join(names)] + ["--quick"] * quick
    env = {**os.environ, "VAULT_TEST_SERVERS": "seaweed", "VAULT_BENCH_RUN": json.dumps(run)}
    return subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL).returncode


def write(results, text_path, pictures_path):
    held = results.read()
    pictures = plots.draw(held, pictures_path)
    links = [f"![{title}]({pictures_path.name}/{name}.svg)" for name, title in pictures.items()]
    text_path.parent.mkdir(parents=True, exist_ok=True)
    text_path.write_text(Report(held, NOTES.read_text()).text(links))
    print(f"bench: wrote {os.path.relpath(text_path, ROOT)}")


def main():
    chosen = arguments()
    tools_on_path()
    results_path, text_path, pictures_path = places(chosen.quick)
    results = Results(results_path)
    alone = [n for n in chosen.only if n not in SERVED]
    with_server = [n for n in chosen.only if n in SERVED]
    if chosen.inside:
        run = json.loads(os.environ["VAULT_BENCH_RUN"])
        return measure(chosen.only, chosen.quick, results, run) > 0
    run = run_record()
    failed = measure(alone, chosen.quick, results, run) if alone else 0
    if with_server:
        failed += served(with_server, chosen.quick, run) != 0
    write(results, text_path, pictures_path)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
