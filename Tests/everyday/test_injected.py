#!/usr/bin/env python3
"""Each system call of each tool fails once, in each place and in each way that is plausible (strace): no
false success, no hang, no input lost, no file left over. Needs root, strace and a mount namespace.

test_injected.py [--whole] [ROW...]: all of it, else a sample. A row is one of work.py."""

import os
import random
import re
import subprocess
import sys

import work
from room import BIN, Room, TABLE, Tally, alone, tail
from test_starts import NOISE

# What is plausible; any other call fails with EPERM, as a filter of another's making would have it.
ERRORS = {
    "read": "EIO EINTR EAGAIN EISDIR", "pread64": "EIO EINTR", "write": "EIO ENOSPC EINTR EPIPE EAGAIN",
    "writev": "EIO ENOSPC EPIPE EINTR", "pwrite64": "EIO ENOSPC EDQUOT EINTR",
    "openat": "EMFILE ENOMEM EACCES EIO", "open": "EMFILE EACCES", "close": "EIO EINTR",
    "fsync": "EIO ENOSPC EINTR EDQUOT", "fdatasync": "EIO", "linkat": "EIO ENOSPC EEXIST EPERM",
    "renameat2": "EIO ENOSPC EEXIST EINVAL", "unlinkat": "EIO EACCES", "mkdirat": "EACCES ENOSPC",
    "fstat": "EIO ENOMEM", "newfstatat": "EIO EACCES ENOMEM", "statx": "EIO", "lseek": "EINVAL",
    "ftruncate": "EIO", "flock": "EAGAIN ENOLCK EINTR", "fcntl": "EMFILE EINVAL",
    "fchmod": "EPERM EIO", "fchown": "EPERM", "readlink": "EIO EACCES", "fgetxattr": "EIO EOPNOTSUPP",
    "mmap": "ENOMEM", "mprotect": "ENOMEM", "mlock": "ENOMEM EPERM",
    "mlock2": "ENOMEM", "madvise": "EINVAL", "getrandom": "EINTR ENOSYS", "seccomp": "EINVAL ENOMEM",
    "prctl": "EINVAL", "clone": "EAGAIN", "clone3": "EAGAIN", "eventfd2": "EMFILE", "pipe2": "EMFILE",
    "landlock_create_ruleset": "ENOSYS", "landlock_add_rule": "EINVAL", "poll": "EINTR ENOMEM",
    "landlock_restrict_self": "E2BIG", "wait4": "EINTR", "ppoll": "EINTR", "futex": "EINTR",
    "clock_nanosleep": "EINTR", "execve": "ENOENT",
}
# Without these nothing can be told any more, or the call cannot fail; brk never gives an error, but
# the old end.
NEVER = {"brk", "exit_group", "exit", "rt_sigreturn", "execve", "arch_prctl", "futex", "munmap", "getpid",
         "gettid", "getuid", "geteuid", "getgid", "getegid", "set_tid_address", "restart_syscall",
         "rt_sigprocmask", "set_robust_list", "rseq", "sched_yield", "umask", "getppid"}
MOST = 200  # occurrences of one call
LINE = re.compile(r"^(?:\d+ +)?([a-z_0-9]+)\(")


def strace(log, inject=None):
    words = ["strace", "-f", "-qq", "-o", log, "-e", "trace=all"]
    # The filter would take a call that strace keeps from the kernel for one that no tool makes.
    filters = [] if inject and inject.startswith("seccomp:") else ["-e", "inject=seccomp:error=EINVAL"]
    return words + filters + (["-e", f"inject={inject}"] if inject else [])


def calls(place, row):
    """How often each call is made, and how many of each the loader makes before the tool begins."""
    log = place.path / "log"
    run = work.run(place, row, wrap=strace(str(log)))
    assert run.returncode == 0 and row.judge(place, run.stdout), tail(run)
    counts, loading, begun = {}, {}, False
    for line in log.read_text(errors="replace").splitlines():
        found = LINE.match(line)
        if not found:
            continue
        name = found.group(1)
        # The first act of a tool (Hardening.start).
        begun = begun or "rt_sigaction(SIGQUIT, {sa_handler=SIG_DFL" in line
        counts[name] = counts.get(name, 0) + 1
        if not begun:
            loading[name] = loading.get(name, 0) + 1
    log.unlink()
    return counts, loading


def cases(place, row):
    counts, loading = calls(place, row)
    for name, count in counts.items():
        if name in NEVER:
            continue
        for when in range(1, min(count, MOST) + 1):
            for error in ERRORS.get(name, "EPERM").split():
                yield name, when, error, when <= loading.get(name, 0)


def judge(place, row, run, changed, call, is_loading):
    error = run.stderr
    if any(noise in error for noise in NOISE):
        return "the runtime talks"
    if lost := {name for name in changed - row.outputs if name in place.good}:
        return f"inputs lost: {sorted(lost)}"
    if run.returncode == 0:
        if not row.judge(place, run.stdout):
            return "a false success"
        strays = changed - row.outputs
    else:
        if not is_loading and run.returncode not in TABLE and not is_pipe(run, call):
            return "not a code of the table"
        if not is_loading and not is_pipe(run, call) and b": error: " not in error and call != "write":
            return "no message"
        strays = changed if not is_named(error) else changed - row.outputs
        if row.prepare is work.copy_access_space:
            strays = changed - {"s"}
            if sorted(work.keys_open(place, "access.key", "new.kek")) != [0, 77]:
                return "the space opens with neither key, or with both"
        strays -= {"j"}
        if row.network and is_told(run, call):
            strays -= row.outputs
    # What cannot be removed stays.
    if strays and call not in ("unlinkat",):
        return f"left over: {sorted(strays)}"
    return ""


def is_pipe(run, call):
    return run.returncode == -13 and call in ("write", "writev")


def is_told(run, call):
    """What is stored has its receipt, or vault-put has said that it has none. A write that fails the
    first time in each thread takes the message with it."""
    says = b"may be stored", b"cannot write standard output", b"is stored", b"is there"
    return b'"stored"' in run.stdout or any(word in run.stderr for word in says) or call == "write"


def is_named(error):
    """The message says that the file is there."""
    return b"is written whole" in error or b"is stored" in error or b"may be there" in error


def inject(place, row, name, when, error):
    if row.prepare:
        row.prepare(place)
    before = place.snapshot()
    log = "/dev/null"
    run = work.run(place, row, prepared=True, wrap=strace(log, f"{name}:error={error}:when={when}"), timeout=60)
    return run, set(place.changed(before))


def main(words):
    alone(__file__)
    whole = "--whole" in words
    wanted = [word for word in words if word != "--whole"]
    tally = Tally("injected")
    place = Room()
    try:
        work.furnish(place)
        for title, row in work.WORK.items():
            if wanted and title not in wanted or "--" in row.command:
                continue
            every = list(cases(place, row))
            some = every if whole else random.Random(title).sample(every, min(16, len(every)))
            for name, when, error, is_loading in some:
                try:
                    run, changed = inject(place, row, name, when, error)
                    why = judge(place, row, run, changed, name, is_loading)
                    end = tail(run)
                except subprocess.TimeoutExpired:
                    why, end = "it hangs", ""
                tally.hold(f"{title}: {name} {when} {error}", not why, f"{why}; {end}")
            print(f"{title}: {len(some)} of {len(every)} failures", flush=True)
    finally:
        place.close()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
