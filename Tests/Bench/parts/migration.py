"""The whole migration beside other ways to do it: Tests/Bench/migration.py on a server and a database of its
own. Its lines of JSON, one for each run of a contestant, become figures."""

import json
import os
import subprocess

from arithmetic import figure, paired_ratio
from parts import told
from room import ROOT
from runner import BenchError

SCRIPT = "Tests/Bench/migration.py"
OURS = "vault-migrate"
PEERS = {"python": "python", "script": "age-aws"}
STEPS = ("vault-verify", "vault-switch", "vault-retire")


def rates_of(text):
    """Rows a second of each run, by the contestant's name."""
    rates = {}
    for line in text.splitlines():
        found = json.loads(line) if line.startswith("{") else {}
        if "rows_per_second" in found:
            rates.setdefault(found["name"], []).append(found["rows_per_second"])
    return rates


def figures_of(rates):
    """Its last run of ours feeds the later steps, and has no pair."""
    figures = {f"{name} rows": figure(rates[name], "rows/s") for name in (OURS, *PEERS.values(), *STEPS)
               if name in rates}
    for name, peer in PEERS.items():
        if peer in rates:
            figures[name] = paired_ratio(rates[OURS][:len(rates[peer])], rates[peer])
    return figures


def run(room):
    command = ["Tests/servers/with-servers.sh", "Tests/migration/with-postgres.sh",
               ".build/venv/bin/python", SCRIPT, str(room.scaled(5000, 40)), str(room.scaled(7, 1))]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "VAULT_TEST_SERVERS": "seaweed"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    rates = rates_of(text)
    if done.returncode or not {OURS, *PEERS.values()} <= set(rates):
        raise BenchError(f"{SCRIPT}: status {done.returncode}: {text.strip()[-400:]}")
    return told(figures_of(rates), {}, {"migration": " ".join(command)})
