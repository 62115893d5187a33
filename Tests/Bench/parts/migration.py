"""The whole migration beside other ways to do it: Tests/Bench/migration.py on a server and a database of its
own. Its lines `NAME  N rows/s  S s for ROWS` become rows of the comparison."""

import os
import re
import subprocess

from parts import told
from room import ROOT
from runner import BenchError

LINE = re.compile(r"^(.+?) +([\d.]+) rows/s +([\d.]+) s for (\d+)$", re.M)
SCRIPT = "Tests/Bench/migration.py"


def figures_of(text):
    return {name.strip(): {"value": float(rate), "low": float(rate), "high": float(rate),
                           "unit": "rows/s", "note": f"{count} rows, once"}
            for name, rate, _, count in LINE.findall(text)}


def run(room):
    if not (ROOT / SCRIPT).exists():
        raise BenchError(f"{SCRIPT} is not there")
    rows = room.scaled(2000, 40)
    command = ["Tests/servers/with-servers.sh", "Tests/migration/with-postgres.sh",
               ".build/bench/venv/bin/python", SCRIPT, str(rows)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "VAULT_TEST_SERVERS": "seaweed"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    figures = figures_of(text)
    if done.returncode or not figures:
        raise BenchError(f"{SCRIPT}: status {done.returncode}: {text.strip()[-400:]}")
    return told(figures, {}, {"migration": " ".join(command)})
