"""test_differential.py [--count N] [--seed S] [--only K]: mutants of sealed objects, opened by the reader
that was made from docs/FORMAT.md alone and by the tools. Both must say the same of each: the name of the
fault, the data that was released before it, and of a good one the manifest. One that nobody with the keys
has made and that is good is its original, byte for byte.

Mutant K of a seed is the same in every run; --only K shows it. The probe vault-opening has the consumer of
vault-open; a sample goes through vault-open itself, as a file and in a pipe.
"""

import argparse
import collections
import hashlib
import multiprocessing
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from mutants import Maker, Mutant
from read_vault import EXITS, Identity, Reader, Shared
from sealed_bases import IDENTITY, KEY_WORDS, SECRETS, all_bases, joined
from vault_frames import Refused

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROBE, TOOL = ROOT / ".build/release/vault-opening", ROOT / "bin/vault-open"
BATCH, SAMPLE = 64, 300
NONE = hashlib.sha256(b"").hexdigest()


def keys():
    return [Identity(SECRETS["alice"]), Shared(SECRETS["kek"], b"key"),
            Shared(SECRETS["master"], b"space"), Identity(SECRETS["capture"])]


def read(mutant, held):
    """What the reader says, in the words of the probe."""
    pieces, manifest = [], "-"
    try:
        reader = Reader(held, pieces.append, mutant.override)
        reader.read(mutant.object)
        name, manifest = "ok", hashlib.sha256(reader.manifest_text).hexdigest()
    except Refused as error:
        name = str(error)
    data = b"".join(pieces)
    return name, len(data), hashlib.sha256(data).hexdigest(), manifest


def made(maker, seed, number):
    return maker.mutant(random.Random(f"{seed}/{number}"))


class Probe:
    """A process that opens what it is given, and says of each what came of it."""

    def __init__(self):
        self.process = subprocess.Popen([PROBE, *KEY_WORDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def open(self, mutants, rng):
        for mutant in mutants:
            piece = rng.choice([1 << 20, 1 << 20, 4096, 997])
            head = struct.pack(">III", len(mutant.override), len(mutant.object), piece)
            self.process.stdin.write(head + mutant.override + mutant.object)
        self.process.stdin.flush()

    def outcomes(self, count):
        for _ in range(count):
            fields = self.process.stdout.readline().decode().split()
            if len(fields) != 4:
                raise RuntimeError(f"the probe ended with status {self.process.wait()}")
            # A batch is refused as the wrong use of a tool, for want of a better name.
            name = {"usage": "wrong-kind"}.get(fields[0], fields[0])
            yield name, int(fields[1]), fields[2], fields[3]


def difference(mutant, ours, theirs):
    if ours != theirs:
        return f"the reader says {ours}, the tools say {theirs}"
    original = joined(mutant.base.stream), mutant.base.override
    if ours[0] == "ok" and not mutant.has_keys and (mutant.object, mutant.override) != original:
        return "it is good, and not its original"
    return None


def share(task):
    """The differences in a share of the mutants, and the counts by outcome and by way."""
    seed, numbers = task
    maker, probe, held = Maker(), Probe(), keys()
    counts, ways, wrong = collections.Counter(), collections.Counter(), []
    for start in range(0, len(numbers), BATCH):
        part = numbers[start:start + BATCH]
        mutants = [made(maker, seed, number) for number in part]
        probe.open(mutants, random.Random(f"{seed}/{start}"))
        ours = [read(mutant, held) for mutant in mutants]
        for number, mutant, mine, other in zip(part, mutants, ours, probe.outcomes(len(part))):
            counts[mine[0]] += 1
            ways[mutant.how.removesuffix(", damaged")] += 1
            what = difference(mutant, mine, other)
            if what:
                wrong.append(f"mutant {number} ({mutant.how}; {mutant.base.name}): {what}")
    return counts, ways, wrong


class Tool:
    """vault-open, with the keys in files."""

    def __init__(self, room):
        self.room = pathlib.Path(room)
        texts = {"identity": (IDENTITY + "\n").encode(), "kek": SECRETS["kek"], "space": SECRETS["space"],
                 "access-key": SECRETS["access-key"]}
        for name, text in texts.items():
            (self.room / name).write_bytes(text)
            os.chmod(self.room / name, 0o600)
        self.options = [f"{option}={self.room / name}" for option, name in (
            ("--identity", "identity"), ("--key-file", "kek"), ("--space", "space"),
            ("--access-key-file", "access-key"))]

    def open(self, mutant, as_file):
        (self.room / "envelope").write_bytes(mutant.override)
        (self.room / "object").write_bytes(mutant.object)
        given = [f"--envelope={self.room / 'envelope'}"] if mutant.override else []
        operand = [self.room / "object"] if as_file else []
        done = subprocess.run([TOOL, *self.options, *given, *operand], capture_output=True, timeout=60,
                              input=b"" if as_file else mutant.object, check=False)
        return done.returncode, len(done.stdout), hashlib.sha256(done.stdout).hexdigest()


def wanted(mutant, outcome, as_file):
    """Status and data of the tool, one way or another."""
    name, size, digest, _ = outcome
    status = 0 if name == "ok" else EXITS.get(name, 65)
    found = {(status, size, digest)}
    if name == "wrong-kind":
        found.add((64, size, digest))
    # Of a file the tool looks at the manifest before it writes (clause 6), if its place can be found.
    if as_file and mutant.how.startswith(("manifests", "two_faults")):
        early = {(65, 0, NONE)}
        return early if name == "manifest-malformed" and mutant.how == "manifests" else found | early
    return found


def fits(mutant):
    """Not where --envelope takes more than the format: a receipt, or a text without its last line end."""
    return mutant.override[:1] != b"{" and mutant.override[-1:] in (b"", b"\n")


def sample(seed, count):
    """The same mutants through vault-open: how many, how many of them were held back, and the differences."""
    maker, held, rng, wrong = Maker(), keys(), random.Random(f"{seed}/sample"), []
    tried = held_back = 0
    with tempfile.TemporaryDirectory() as room:
        tool = Tool(room)
        for number in rng.sample(range(count), min(count, SAMPLE)):
            mutant = made(maker, seed, number)
            outcome, as_file = read(mutant, held), rng.random() < 0.5
            if not fits(mutant):
                continue
            tried += 1
            held_back += as_file and outcome[0] == "manifest-malformed" and outcome[1] > 0
            found, expected = tool.open(mutant, as_file), wanted(mutant, outcome, as_file)
            if found not in expected:
                way = "as a file" if as_file else "in a pipe"
                wrong.append(f"mutant {number} ({mutant.how}; {mutant.base.name}) {way}: "
                             f"{found}, expected {expected} for {outcome[0]}")
    return tried, held_back, wrong


def unopened():
    """The bases that do not open: mutants of them would be of no use."""
    small, large = all_bases()
    for base in small + large:
        name = read(Mutant("untouched", base, joined(base.stream), base.override), keys())[0]
        if name != "ok":
            yield f"{base.name} is {name}"


def show(seed, number):
    mutant = made(Maker(), seed, number)
    probe = Probe()
    probe.open([mutant], random.Random(0))
    print(f"{mutant.how}; {mutant.base.name}")
    print("reader:", read(mutant, keys()))
    print("tools: ", *probe.outcomes(1))
    sys.stdout.flush()
    text = mutant.object[24:24 + struct.unpack(">I", mutant.object[12:16].rjust(4, b"\0"))[0]]
    print("override:", mutant.override, "\nhead:", mutant.object[:24], "\nE:", text[:16384])
    print("end:", mutant.object[-80:])


def report(counts, ways):
    print("ways:", ", ".join(f"{way} {count}" for way, count in sorted(ways.items())))
    print("names:", ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    print(f"mutants: {counts.total()} tried, {counts['ok']} accepted, {counts.total() - counts['ok']} refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--only", type=int)
    asked = parser.parse_args()
    if asked.only is not None:
        return show(asked.seed, asked.only)
    print(f"seed {asked.seed}")
    jobs = os.cpu_count() or 1
    tasks = [(asked.seed, range(first, asked.count, jobs)) for first in range(jobs)]
    counts, ways, wrong = collections.Counter(), collections.Counter(), list(unopened())
    with multiprocessing.Pool(jobs) as pool:
        for result in pool.imap_unordered(share, tasks):
            for total, part in zip((counts, ways), result):
                total.update(part)
            wrong += result[2]
    report(counts, ways)
    tried, held_back, differ = sample(asked.seed, asked.count)
    print(f"vault-open: {tried} of the same tried, {held_back} of them files whose data it held back")
    for line in (wrong + differ)[:40]:
        print("failed:", line)
    failed = len(wrong) + len(differ)
    print(f"differential: {counts.total() + tried - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
