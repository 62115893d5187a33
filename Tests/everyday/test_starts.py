#!/usr/bin/env python3
"""Every tool, started with something missing or with too little: done, or a message with a code of the
table; never a trap, never a success that isn't one. Needs root and a mount namespace of its own.

test_starts.py [--whole]: all values of the limits, else a sample of them."""

import os
import random
import resource
import shutil
import sys

import work
from room import BIN, Room, TABLE, Tally, alone, tail

NOISE = (b"Fatal error", b"stack trace", b"Trace/breakpoint", b"swift runtime")

# Words of a shell that take something away, in a mount namespace that only this command has.
PLACES = {
    "without /proc": "umount -l /proc", "without /sys": "umount -l /sys",
    "without /dev": "umount -l /dev/shm /dev/pts; mount -t tmpfs none /dev",
    "without /dev/shm": "umount -l /dev/shm 2>&1; rm -rf /dev/shm; true",
    "without /tmp": "mount -t tmpfs -o mode=0 none /tmp",
    "without all of them": "mount -t tmpfs none /dev; mount -t tmpfs -o mode=0 none /tmp; "
                           "umount -l /sys; umount -l /proc",
    "on a root that is read-only": "mount -o remount,bind,ro /",
}
VARIABLES = {
    "nothing": {}, "PATH alone": {"PATH": "/usr/bin:/bin"}, "HOME alone": {"HOME": "/nowhere"},
    "what cron sets": {"PATH": "/usr/bin:/bin", "HOME": "/root", "SHELL": "/bin/sh", "LOGNAME": "root"},
    "empty ones": {"PATH": "", "HOME": "", "TERM": "", "TMPDIR": "", "LC_ALL": ""},
    "a runtime that should talk": {"SWIFT_BACKTRACE": "enable=yes", "SWIFT_DEBUG_HELP": "YES"},
}


def is_loader(run):
    """The tool has not begun: the system could not load it, and said so or ended it."""
    return run.returncode in (126, 127) or b"error while loading shared libraries" in run.stderr


def judge(place, row, run, changed, excuse=False):
    """Why this is not how a tool may end; nothing when it is."""
    error = run.stderr or b""
    if any(noise in error for noise in NOISE):
        return "the runtime talks"
    if run.returncode == 0:
        return "" if row.judge(place, run.stdout or b"") else "a success that isn't one"
    if excuse or is_loader(run):
        return ""
    if run.returncode not in TABLE:
        return "not a code of the table"
    # A library may have spoken before.
    if not any(line.startswith(row.command[0].encode() + b": error: ") for line in error.splitlines()):
        return "no message"
    if changed - row.outputs:
        return f"changed {sorted(changed - row.outputs)}"
    return ""


def hold(place, tally, what, row, must_work=False, excuse=None, **more):
    if row.prepare:
        row.prepare(place)
    before = place.snapshot()
    run = work.run(place, row, prepared=True, **more)
    why = judge(place, row, run, set(place.changed(before)), excuse and excuse(run))
    if must_work and run.returncode:
        why = why or "it must work"
    tally.hold(what, not why, f"{why}; {tail(run)}")
    return run


def places(place, tally):
    for title, words in PLACES.items():
        for name, row in work.WORK.items():
            shell = ["unshare", "--mount", "sh", "-c", f"{words}; exec \"$0\" \"$@\""]
            # The room is a file system of its own, which stays writable.
            hold(place, tally, f"{name}, {title}", row, must_work=True, wrap=shell)


def bare_root(place, tally):
    """A root with the loader and the libraries alone, as in a small container."""
    root = place.path / "root"
    root.mkdir()
    for folder in ("lib", "lib64", "usr/lib"):
        if (path := "/" + folder) and os.path.isdir(path):
            (root / folder).mkdir(parents=True, exist_ok=True)
    binds = "; ".join(f"mount --bind /{folder} {root}/{folder}" for folder in ("lib", "lib64", "usr/lib"))
    (root / "bin").mkdir()
    (root / "room").mkdir()
    for tool in sorted({row.command[0] for row in work.WORK.values()}):
        shutil.copy(BIN / tool, root / "bin" / tool)
    shell = ["unshare", "--mount", "sh", "-c",
             f"{binds}; mount --bind {place.path} {root}/room; tool=$(basename \"$0\"); "
             f"exec chroot {root} /bin/env-less \"$tool\" \"$@\""]
    shell[-1] = shell[-1].replace("/bin/env-less \"$tool\"", "\"/bin/$tool\"")
    for name, row in work.WORK.items():
        if "--" in row.command:
            continue  # there is no command to run
        # chroot begins in the new root: names are made absolute.
        files = {path.name for path in place.path.iterdir()} | row.outputs | {"put.{item}"}
        command = [f"/room/{word}" if word in files and row.command[at - 1] != "vault-key" else word
                   for at, word in enumerate(row.command)]
        there = work.Work(command, row.judge, row.outputs, row.data, row.prepare)
        if name in ("get --rows", "drop", "hash --check", "hash --print"):
            continue  # their names stand in files, relative to the directory
        hold(place, tally, f"{name}, in a bare root", there, must_work=True, wrap=shell)
    shutil.rmtree(root, ignore_errors=True)


def variables(place, tally):
    for title, env in VARIABLES.items():
        for name, row in work.WORK.items():
            if "--" in row.command and "SWIFT_DEBUG_HELP" in env:
                continue
            hold(place, tally, f"{name}, with {title}", row, must_work=True, only=env)


def descriptors(place, tally):
    """Each mix of 0, 1 and 2 that is closed."""
    for mix in range(1, 8):
        closed = [number for number in range(3) if mix >> number & 1]
        shell = ["sh", "-c", 'exec "$0" "$@" ' + " ".join(f"{number}>&-" for number in closed)]
        for name, row in work.WORK.items():
            run = work.run(place, row, wrap=shell)
            needs = (0 in closed and row.data) or (1 in closed and not row.outputs
                                                   or 1 in closed and row.network)
            fine = run.returncode in TABLE and not any(noise in run.stderr for noise in NOISE)
            if needs:
                fine = fine and run.returncode != 0
            elif run.returncode == 0 and 1 not in closed:
                fine = fine and row.judge(place, run.stdout)
            else:
                fine = fine and run.returncode == 0
            tally.hold(f"{name}, with {closed} closed", fine, tail(run))


def limited(number, values, drop=False):
    def limit():
        resource.setrlimit(number, values)
        if drop:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
    return limit


def limits(place, tally, whole):
    for name, row in work.WORK.items() if whole else sample():
        for count in range(3, 26) if whole else (3, 4, 5, 6, 7, 8, 10, 13):
            hold(place, tally, f"{name}, ulimit -n {count}", row,
                 preexec_fn=limited(resource.RLIMIT_NOFILE, (count, count)))
        for size in ((0, 1, 512, 4096, 65536, 200_000, 1 << 20) if whole else (0, 4096, 1 << 20)):
            hold(place, tally, f"{name}, ulimit -f of {size} bytes", row, must_work=size == 1 << 20,
                 preexec_fn=limited(resource.RLIMIT_FSIZE, (size, size)),
                 excuse=lambda run: "--" in row.command and run.returncode == 66)
        memory(place, tally, name, row, whole)


def sample():
    """One row of each tool, and some more."""
    firsts = {row.command[0]: name for name, row in reversed(work.WORK.items())}
    rest = sorted(work.WORK.keys() - set(firsts.values()))
    names = [*firsts.values(), *random.Random(16).sample(rest, 4)]
    return [(name, work.WORK[name]) for name in names]


def memory(place, tally, name, row, whole):
    """From too little for the loader to enough; where it has begun, it speaks."""
    values = [kib << 10 for kib in range(4_000, 90_000, 250 if whole else 6_100)]
    runs = []
    for size in values:
        if row.prepare:
            row.prepare(place)
        before = place.snapshot()
        run = work.run(place, row, preexec_fn=limited(resource.RLIMIT_AS, (size, size)))
        runs.append((size, run, judge(place, row, run, set(place.changed(before)))))
    # Where the loader still fails further up, the kernel or the loader has ended the process.
    begins = max((size for size, run, _ in runs if is_loader(run)), default=0)
    for size, run, why in runs:
        excused = run.returncode < 0 and size <= begins
        tally.hold(f"{name}, ulimit -v of {size >> 10} KiB", excused or not why, f"{why}; {tail(run)}")
    tally.hold(f"{name}, ulimit -v of enough", runs[-1][1].returncode == 0, tail(runs[-1][1]))


def threads(place, tally, whole):
    """Users other than root have a limit of processes and threads."""
    for path in [place.path, *place.path.iterdir()]:
        os.chown(path, 65534, 65534)
    for name in ("put", "put --journal", "get", "get --rows", "drop", "hash", "hash -- COMMAND"):
        row = work.WORK[name]
        for count in range(1, 12) if whole else (1, 2, 4):
            run = hold(place, tally, f"{name}, ulimit -u {count}", row,
                       preexec_fn=limited(resource.RLIMIT_NPROC, (count, count), drop=True))
            tally.hold(f"{name}, ulimit -u {count}: no fault of ours", run.returncode != 70, tail(run))


def main(words):
    alone(__file__)
    whole = "--whole" in words
    tally = Tally("starts")
    place = Room()
    try:
        work.furnish(place)
        places(place, tally)
        bare_root(place, tally)
        variables(place, tally)
        descriptors(place, tally)
        limits(place, tally, whole)
        threads(place, tally, whole)
    finally:
        place.close()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
