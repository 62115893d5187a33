"""A pipeline with a gate before one of its stages: the gate lets through exactly so many bytes and
then holds, so that the stage is struck when it has taken those and waits for more."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time

from streams import ENVIRONMENT

PATIENCE = 60
WAYS = ["KILL", "TERM", "STOP"]


class Stuck(Exception):
    """A process did not do in a minute what it does in milliseconds."""


def until(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Stuck(what)
        time.sleep(0.002)


def waiting_bytes(descriptor):
    return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4))[0]


def sleeps(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] in "SZX"
    except FileNotFoundError:
        return True


class Gate:
    def __init__(self, source, sink):
        self.source, self.sink, self.sent, self.rest = source, sink, 0, b""
        os.set_blocking(sink, False)

    def feed(self, limit):
        """Passes bytes until `limit` have gone, or all of them when it is None."""
        while limit is None or self.sent < limit:
            self.fill(MIB if limit is None else limit - self.sent)
            if not self.rest:
                return
            if not select.select([], [self.sink], [], PATIENCE)[1]:
                raise Stuck("a stage that takes nothing")
            self.push()

    def fill(self, most):
        if not self.rest:
            if not select.select([self.source], [], [], PATIENCE)[0]:
                raise Stuck("a stage that gives nothing")
            self.rest = os.read(self.source, min(MIB, most))

    def push(self):
        try:
            count = os.write(self.sink, self.rest)
        except BlockingIOError:
            return False
        self.sent, self.rest = self.sent + count, self.rest[count:]
        return True

    def feed_what_fits(self):
        while True:
            self.fill(MIB)
            if not self.rest or not self.push():
                return

    def end(self):
        if self.sink is not None:
            os.close(self.sink)
            self.sink = None

    def close(self):
        self.end()
        if self.source is not None:
            os.close(self.source)
            self.source = None


MIB = 1 << 20


class Pipeline:
    """Stages are started with the gate before number `gated`; those before it read `source`."""

    def __init__(self, commands, gated, source, output, environment=None):
        self.processes = []
        with open(source, "rb") as file, open(output, "ab") as out:
            feed = file
            for number, command in enumerate(commands):
                if number == gated:
                    feed = self.make_gate(feed)
                last = number == len(commands) - 1
                process = subprocess.Popen(command, stdin=feed, stderr=subprocess.DEVNULL,
                                           stdout=out if last else subprocess.PIPE,
                                           env={**ENVIRONMENT, **(environment or {})})
                if feed is not file:
                    feed.close()
                feed = process.stdout
                self.processes.append(process)

    def make_gate(self, feed):
        reader, writer = os.pipe()
        self.gate = Gate(os.dup(feed.fileno()), writer)
        if self.processes:
            feed.close()
        return os.fdopen(reader, "rb")

    def settle(self, pid):
        """Returns when the struck stage has taken all that it was given and waits."""
        still = 0
        while still < 3:
            until(lambda: waiting_bytes(self.gate.sink) == 0 and sleeps(pid), "a stage at work")
            still = still + 1 if waiting_bytes(self.gate.sink) == 0 and sleeps(pid) else 0
            time.sleep(0.001)

    def strike(self, pid, way):
        """Kills the process; stopped first, it is fed on until its input is full."""
        try:
            os.kill(pid, signal.SIGSTOP if way == "STOP" else getattr(signal, f"SIG{way}"))
            if way == "STOP":
                if self.gate and self.gate.sink is not None:
                    self.gate.feed_what_fits()
                os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, BrokenPipeError):
            pass

    def wait(self, seconds=PATIENCE):
        try:
            return [process.wait(seconds) for process in self.processes]
        except subprocess.TimeoutExpired as error:
            raise Stuck(f"{error.cmd[0]} does not end") from error

    def clean(self):
        self.gate.close()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdout:
                process.stdout.close()
