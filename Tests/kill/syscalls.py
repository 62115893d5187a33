"""vault-put over a directory, killed at every system call that it makes on files: strace delivers
SIGKILL at the entry of call number n of a thread, until a run ends without it. (An object of one part
is put by one thread, so that there every call is met.)"""

import os
import pathlib
import re
import shutil
import subprocess

from outcome import Outcome
from streams import ENVIRONMENT

# A file without a name gets one through /proc/self/fd where the kernel wants that. A process that
# cannot see it there begins with a hidden name.
HIDING = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "sh", "-c",
          'mount -t tmpfs none /proc/$$/fd && exec "$@"', "sh"]
CALLS = ["openat", "mkdirat", "write", "pwrite64", "fsync", "linkat", "renameat2", "unlinkat"]
WAYS = {"new": (True, []), "overwriting": (True, ["--overwrite"]),
        "new, by a hidden name": (False, []), "overwriting, by a hidden name": (False, ["--overwrite"])}


class SyscallCase:
    """By a hidden name: where the file system cannot make a file without a name."""

    def __init__(self, streams, shape, call, way):
        self.streams, self.shape, self.call, self.way = streams, shape, call, way
        self.unnamed, self.options = WAYS[way]
        with open(shape.inputs["put"], "rb") as parts:
            self.item = re.search(rb"vault-summary/1\nitem (\S+)", parts.read())[1].decode()

    def name(self, place):
        return f"{place}: KILL of put at each {self.call} ({self.shape.name}, {self.way})"

    def run(self, room, make_place):
        complaints, came, kills, number, status = [], [], 0, 0, -9
        while status == -9:
            number += 1
            inner = pathlib.Path(room) / str(number)
            inner.mkdir()
            status, place = self.put(inner, number, make_place)
            outcome = self.judge(inner, place, status == 0)
            complaints += [f"number {number}: {complaint}" for complaint in outcome.complaints]
            complaints += [f"number {number}: exit {status}"] if status not in (0, -9) else []
            came += outcome.came
            kills += status == -9
            shutil.rmtree(inner)
        return complaints, came, kills

    def put(self, room, number, make_place):
        place, journal = make_place(room), str(room / "journal")
        parent = place.path / self.item
        trace = ["strace", "-f", "-qq", "-o", "/dev/null", f"--trace={self.call}",
                 f"--inject={self.call}:signal=KILL:when={number}"]
        if self.call == "openat":  # there, and not the libraries
            trace += ["-P", str(parent)]
        if not self.unnamed:
            trace += HIDING
        command = ["vault-put", "--jobs=1", "--journal", journal, *self.options,
                   f"{place.path}/{{item}}/{{item}}.vault"]
        with open(self.shape.inputs["put"], "rb") as parts, open(room / "receipts", "ab") as receipts:
            done = subprocess.run([*trace, *command], stdin=parts, stdout=receipts, env=ENVIRONMENT,
                                  stderr=subprocess.DEVNULL, timeout=60, check=False)
        return done.returncode, place

    def judge(self, room, place, ended):
        (room / "journal").touch()
        outcome = Outcome(place, str(room / "journal"), room / "receipts", self.streams.key,
                          self.shape.contents)
        outcome.judge(not ended)
        return outcome


def syscall_cases(streams):
    """A second part is what makes an upload; where the naming matters, the other calls are left out."""
    for way, (unnamed, options) in WAYS.items():
        for call in CALLS:
            if call == "pwrite64" and way != "new":
                continue
            yield SyscallCase(streams, streams.single, call, way)
            if call != "pwrite64":
                yield SyscallCase(streams, streams.small, call, way)
