"""test_readme.py [WORD…]: the lines of README.md in other shells, with other clocks, and many at a time.

They are taken from README.md itself. What a shell cannot read is done by bash in its place and counted.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTIONS = ("A first object", "Store it", "Check what came back", "Many objects")
LICENCE = pathlib.Path("/usr/share/common-licenses/GPL-3")
PATH = f"{ROOT}/bin:/usr/local/bin:/usr/bin:/bin"
USUAL = {n: v for n, v in os.environ.items() if not n.startswith(("AWS_", "VAULT_"))} | {"PATH": PATH}
CRON = {"PATH": PATH, "HOME": "/", "LOGNAME": "root", "SHELL": "/bin/sh"}


def commands(heading):
    """The commands of a section of README.md, each with the lines that it goes on in."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found, goes_on = [], False
    for line in section.splitlines():
        if not line.startswith("    "):
            continue
        if goes_on:
            found[-1] += "\n" + line.strip()
        else:
            found.append(line.strip())
        goes_on = line.endswith("|")
    return found


def needs_elsewhere(command):
    """Servers and names of the reader's own."""
    return "…" in command or "s3://" in command or "AWS_" in command


class Way:
    """How the commands are run: the words before `-c COMMAND`, and what the shell cannot read."""

    def __init__(self, name, words, needs, cannot=(), env=None):
        self.name, self.words, self.needs, self.cannot, self.env = name, words, needs, cannot, env or USUAL

    def reads(self, command):
        return not any(word in command for word in self.cannot)

    def run(self, command, cwd):
        words = self.words if self.reads(command) else ["bash"]
        return subprocess.run([*words, "-c", command], cwd=cwd, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=120)


SUBSTITUTION, LOOP = "<(", "; do "
WAYS = [
    Way("bash", ["bash"], "bash"), Way("zsh", ["zsh", "-f"], "zsh"),
    Way("dash", ["dash"], "dash", [SUBSTITUTION]),
    Way("busybox sh", ["busybox", "sh"], "busybox", [SUBSTITUTION]),
    Way("fish", ["fish", "--no-config"], "fish", [SUBSTITUTION, LOOP]),
    Way("nohup", ["nohup", "dash"], "dash", [SUBSTITUTION]),
    Way("cron's environment", ["/bin/sh"], "sh", [SUBSTITUTION], CRON),
    Way("an empty environment", ["env", "-i", f"PATH={PATH}", "sh"], "sh", [SUBSTITUTION]),
    Way("a clock of 1999", ["faketime", "1999-12-31 23:59:59", "bash"], "faketime"),
    Way("a clock of 2099", ["faketime", "2099-02-28 12:00:00", "bash"], "faketime"),
    Way("a clock 100 times as fast", ["faketime", "-f", "+0 x100", "bash"], "faketime"),
]


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def readme_works(way):
    """All commands end with 0 and what they make is as README.md says; how many were run and left out."""
    ran = others = 0
    with tempfile.TemporaryDirectory(prefix="vault-shells.") as name:
        room, out = pathlib.Path(name), ""
        for heading in SECTIONS:
            for command in commands(heading):
                if needs_elsewhere(command):
                    continue
                done = way.run(command, room)
                check(done.returncode == 0, f"{command!r} ended with {done.returncode}: {done.stderr}")
                if command.startswith("comm "):
                    check(done.stdout == "", f"objects without a receipt: {done.stdout}")
                ran, others = (ran + 1, others) if way.reads(command) else (ran, others + 1)
                out += done.stdout
        check("same\n" in out, "the first object is another one")
        check('"verified":true' in out, "the receipt was not compared")
        receipts = lines_of(room / "receipts.jsonl")
        check([r["status"] for r in receipts] == ["stored"] * 3, f"receipts: {receipts}")
        verdicts = lines_of(room / "verdicts.jsonl")
        check([v.get("verified") for v in verdicts[:-1]] == [True] * 3, f"verdicts: {verdicts}")
        check(verdicts[-1]["results"]["verified"] == 3, f"counts: {verdicts[-1]}")
        check([a["complete"] for a in lines_of(room / "audit.jsonl")] == [True] * 3, "the audit")
        check(len(list((room / "sealed").iterdir())) == 3, "objects without a row")
        check(not list(room.rglob(".vault-tmp-*")), "a file out of sight is left")
    return ran, others


def many_at_a_time():
    """GNU parallel starts the line of "Store it" many times, with one file for all receipts."""
    count = 24
    with tempfile.TemporaryDirectory(prefix="vault-shells.") as name:
        room = pathlib.Path(name)
        for command in commands("A first object")[:2] + commands("Store it")[:1]:
            check(WAYS[0].run(command, room).returncode == 0, command)
        store = next(c for c in commands("Store it") if "vault-put" in c and not needs_elsewhere(c))
        (room / "line.sh").write_text(store.replace(">receipt.json", ">>receipts.jsonl") + "\n")
        numbers = [str(n) for n in range(count)]
        done = subprocess.run(["parallel", "--will-cite", "-j", "8", "-n0", "sh", "line.sh", ":::", *numbers],
                              cwd=room, env=USUAL | {"HOME": name}, capture_output=True, text=True,
                              check=False, timeout=300)
        check(done.returncode == 0, f"parallel: {done.returncode} {done.stderr}")
        objects = {r["object"] for r in lines_of(room / "receipts.jsonl")}
        there = {f"store/{p.name}" for p in (room / "store").iterdir()}
        check(len(objects) == count and objects == there, f"{len(objects)} receipts, {len(there)} objects")
    return count, 0


def main():
    tests = [(w.name, w.needs, lambda w=w: readme_works(w)) for w in WAYS]
    tests.append(("GNU parallel", "parallel", many_at_a_time))
    passed = failed = skipped = 0
    for name, needs, test in tests:
        if not all(word in name for word in sys.argv[1:]):
            continue
        missing = next((n for n in (shutil.which(needs, path=PATH) or needs, str(LICENCE))
                        if not os.path.exists(n)), None)
        if missing:
            skipped += 1
            print(f"{name}: skipped: {missing} is missing")
            continue
        try:
            ran, others = test()
            passed += 1
            print(f"{name}: {ran} commands" + (f", {others} more by bash" if others else ""), flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{name}: failed: {error}", flush=True)
    print(f"shells: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
