"""matrix.py directory|servers: kills every stage at every place and looks at what is left."""

import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import time
import traceback

from pipeline import WAYS, Stuck
from phases import MOMENTS, WHOLE_MOMENTS, PhaseCase
from resume import PagedResume, ResumeCase
from stuck import StuckFilter, StuckReceipts, longest
from syscalls import syscall_cases
from place import BucketPlace, DirectoryPlace, client
from stages import StageCase
from streams import SPOTS, STAGES, Streams

JOBS = int(os.environ.get("VAULT_TEST_JOBS", "3"))


class Matrix:
    """Runs cases, some at a time, and counts."""

    def __init__(self, room):
        self.room, self.number = room, 0
        self.kills = self.passed = self.failed = 0
        self.table = collections.Counter()

    def run(self, cases):
        """Cases are (name, call); call(room) returns complaints, what it came to, kills made."""
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            done = [(name, pool.submit(self.one, call)) for name, call in cases]
            for name, future in done:
                self.note(name, *future.result())

    def one(self, call):
        with tempfile.TemporaryDirectory(dir=self.room) as room:
            try:
                return call(pathlib.Path(room))
            except Stuck as stuck:
                return [f"stuck: {stuck}"], [], 0
            except Exception:  # the case has failed, the others go on
                return [traceback.format_exc()], [], 0

    def note(self, name, complaints, came, kills):
        self.kills += kills
        self.table.update(came)
        self.passed, self.failed = self.passed + (not complaints), self.failed + bool(complaints)
        for complaint in dict.fromkeys(complaints):
            print(f"failed: {name}: {complaint}", flush=True)

    def close(self, seconds):
        print(f"kills made: {self.kills}, in {seconds:.0f} s")
        for what, count in sorted(self.table.items()):
            print(f"  {what:28} {count}")
        if longest:
            print("  longest end after TERM with a stopped reader: "
                  + ", ".join(f"{tool} {took:.1f} s" for tool, took in longest.items()))
        print(f"kill: {self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def stage_cases(streams, shape, stages, ways, make_place, spots=SPOTS):
    for stage in stages:
        for spot in spots:
            if spot not in shape.spots[stage]:
                continue
            for way in ways:
                case = StageCase(streams, shape, stage, way, spot)
                yield case.name(make_place.kind), lambda room, case=case: case.run(room, make_place(room))


def phase_cases(streams, server, ways=WAYS):
    for moments, shape in ((MOMENTS, streams.single), (WHOLE_MOMENTS, streams.small)):
        for kind, moment in moments:
            if server.kind == "rgw" and kind in ("Create", "UploadPart"):
                continue
            for way in ways:
                yield server.case(PhaseCase(streams, shape, server.endpoint, kind, moment, way))
    for kind, moment, how in (("Complete", "before", "late"), ("UploadPart", "after", "denied")):
        case = PhaseCase(streams, streams.single, server.endpoint, kind, moment, "TERM", **{how: True})
        yield server.case(case)


class BucketServer:
    """Makes a place of its own for each case."""

    def __init__(self, kind):
        self.kind, self.endpoint = kind, os.environ[f"VAULT_TEST_{kind.upper()}"]
        self.client, self.bucket = client(self.endpoint), os.environ["VAULT_TEST_BUCKET"]

    def __call__(self, room):
        return BucketPlace(self.client, self.endpoint, self.bucket, f"kill/{room.name}", self.kind)

    def case(self, case):
        return case.name(self.kind), lambda room: case.run(room, self(room))


def own_cases(cases):
    for case in cases:
        yield case.name(), case.run


def directory(streams):
    for case in syscall_cases(streams):
        yield case.name("directory"), lambda room, case=case: case.run(room, DirectoryPlace)
    for tool in ("hash", "seal", "chunk", "open"):
        yield f"TERM of {tool} whose reader has stopped", StuckFilter(streams, tool).run
    yield from own_cases(StuckReceipts(streams, way, DirectoryPlace) for way in WAYS)
    yield from own_cases([ResumeCase(streams, DirectoryPlace), PagedResume(streams)])
    yield from stage_cases(streams, streams.single, ["producer", *STAGES], WAYS, DirectoryPlace)
    yield from stage_cases(streams, streams.batch, STAGES, WAYS, DirectoryPlace)


def servers(streams):
    seaweed, rgw = BucketServer("seaweed"), BucketServer("rgw")
    yield from phase_cases(streams, seaweed)
    yield from phase_cases(streams, rgw)
    yield from own_cases(StuckReceipts(streams, way, seaweed) for way in WAYS)
    yield from own_cases([ResumeCase(streams, seaweed), ResumeCase(streams, rgw)])
    yield from stage_cases(streams, streams.single, ["producer", *STAGES], WAYS, seaweed)
    yield from stage_cases(streams, streams.batch, ["seal", "put"], WAYS, seaweed)
    yield from stage_cases(streams, streams.single, ["put"], WAYS, rgw, SPOTS[-2:])


PARTS = {"directory": directory, "servers": servers}


def main():
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vault-kill.") as room:
        matrix = Matrix(room)
        matrix.run(PARTS[sys.argv[1]](Streams(pathlib.Path(room))))
        return matrix.close(time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
