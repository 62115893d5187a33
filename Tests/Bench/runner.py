"""Runs commands and takes their times: contestants in turns, programs by the hundred, peak memory."""

import os
import pathlib
import subprocess
import time
import typing


class BenchError(Exception):
    """A command failed or something is missing: no number comes of it."""


class Contestant(typing.NamedTuple):
    command: str  # for bash, in the room
    reads: tuple[str, ...] = ()  # files that are brought into the page cache just before
    leaves: tuple[str, ...] = ()  # what it writes, removed before and after
    before: typing.Callable[[], None] | None = None  # untimed


def shell(command, **options):
    """Seconds of one run; fails when any stage of it failed."""
    begun = time.perf_counter()
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    seconds = time.perf_counter() - begun
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip()[-400:]
        raise BenchError(f"{command}: status {done.returncode}: {told}")
    return seconds


def output(*command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
    except OSError:
        return ""
    return done.stdout.decode(errors="replace").strip()


def warm(path):
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 20):
            pass


def remove(path):
    subprocess.run(["rm", "-rf", "--", path], check=True)


def once(contestant):
    for path in contestant.leaves:
        remove(path)
    if contestant.before:
        contestant.before()
    if contestant.leaves:
        os.sync()  # what others left to be written is not this one's time
    for path in contestant.reads:
        warm(path)
    seconds = shell(contestant.command)
    for path in contestant.leaves:
        remove(path)
    return seconds


def turn(names, number):
    """The order of a round: another one begins each time, and every second round goes backwards."""
    start = number // 2 % len(names)
    order = names[start:] + names[:start]
    return order[::-1] if number % 2 else order


def in_turns(contestants, rounds, warm_up=1, first=0):
    """Seconds of every contestant in each of the rounds, after warm-up rounds that do not count."""
    names, runs = list(contestants), {name: [] for name in contestants}
    for number in range(-warm_up, rounds):
        for name in turn(names, first + number + warm_up):
            seconds = once(contestants[name])
            if number >= 0:
                runs[name].append(seconds)
    return runs


class Program(typing.NamedTuple):
    argv: tuple[str, ...]
    stdin: str = "/dev/null"
    leaves: str = ""  # a directory whose files are removed after each run

    @property
    def command(self):
        return " ".join(self.argv) + (f" <{self.stdin}" if self.stdin != "/dev/null" else "")


def spawn(program):
    """Seconds from posix_spawn to the end of one program; its output goes to /dev/null."""
    actions = [(os.POSIX_SPAWN_OPEN, 0, program.stdin, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    begun = time.perf_counter()
    pid = os.posix_spawnp(program.argv[0], program.argv, os.environ, file_actions=actions)
    status = os.waitpid(pid, 0)[1]
    seconds = time.perf_counter() - begun
    if status:
        raise BenchError(f"{program.command}: status {os.waitstatus_to_exitcode(status)}")
    for entry in os.scandir(program.leaves) if program.leaves else ():
        os.unlink(entry.path)
    return seconds


def spawned(programs, rounds, warm_up=5):
    """Seconds of each program in every round, one after the other in turns."""
    names, runs = list(programs), {name: [] for name in programs}
    for number in range(-warm_up, rounds):
        for name in turn(names, number + warm_up):
            seconds = spawn(programs[name])
            if number >= 0:
                runs[name].append(seconds)
    return runs


def measured(name, command):
    """A stage whose peak of memory is noted. A child of Python would be charged with Python's own."""
    return f"/usr/bin/time -o {name}.kib -f %M {command}"


def kibibytes(name):
    return int(pathlib.Path(f"{name}.kib").read_text().split()[-1])
