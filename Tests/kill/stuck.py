"""A tool that waits for a reader that has stopped ends within 3 seconds of TERM."""

import os
import pathlib
import signal
import subprocess
import time

from outcome import Outcome
from pipeline import sleeps, until, waiting_bytes
from streams import ENVIRONMENT

LIMIT = 3.0
SLACK = 1.0  # of a machine that does other things, too
longest = {}


def end_of(process, tool):
    """Complaints about how the process ends after TERM."""
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    try:
        code = process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return [f"vault-{tool} does not end"]
    took = longest[tool] = time.monotonic() - begun
    return [complaint for bad, complaint in (
        (code != -signal.SIGTERM, f"vault-{tool} exits {code}"),
        (took > LIMIT + SLACK, f"vault-{tool} ends after {took:.1f} s")) if bad]


class StuckFilter:
    def __init__(self, streams, tool):
        self.streams, self.tool = streams, tool

    def run(self, _room):
        command, source = self.command()
        with open(source, "rb") as feed:
            process = subprocess.Popen(command, stdin=feed, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        with process.stdout as output:
            self.await_full(process, output.fileno())
            return end_of(process, self.tool), [], 1

    def command(self):
        shape = self.streams.single
        if self.tool == "open":
            return ["vault-open", "-i", self.streams.key], shape.inputs["chunk"]
        return shape.commands[self.tool], shape.inputs[self.tool]

    def await_full(self, process, descriptor):
        seen = [0, 0]

        def full():
            seen[:] = [seen[1], waiting_bytes(descriptor)]
            time.sleep(0.02)
            return seen[0] == seen[1] > 60_000 and sleeps(process.pid)
        until(full, "an output that fills")


class StuckReceipts:
    """vault-put has committed, and its receipt finds a full pipe: between commit and receipt."""

    def __init__(self, streams, way, make_place):
        self.streams, self.way, self.make_place = streams, way, make_place

    def name(self):
        return f"{self.make_place.kind}: {self.way} of put between commit and receipt"

    def run(self, room):
        place, journal = self.make_place(room), str(pathlib.Path(room) / "journal")
        reader, writer = os.pipe()
        self.fill(writer)
        with open(self.streams.single.inputs["put"], "rb") as parts:
            process = subprocess.Popen(
                ["vault-put", "--journal", journal, place.destination], stdin=parts, stdout=writer,
                stderr=subprocess.DEVNULL, env={**ENVIRONMENT, **place.environment})
        os.close(writer)
        until(place.objects, "an object")
        complaints = self.end(process)
        os.close(reader)
        outcome = Outcome(place, journal, "/nonexistent", self.streams.key, self.streams.single.contents)
        outcome.judge(needs_sweep=True)
        return complaints + outcome.complaints, outcome.came, 1

    def fill(self, writer):
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"\n" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)

    def end(self, process):
        if self.way == "TERM":
            return end_of(process, "put")
        if self.way == "STOP":
            process.send_signal(signal.SIGSTOP)
        process.kill()
        process.wait()
        return []
