"""What is left in the memory of a tool when it ends: it is stopped at its exit and read as root."""

import ctypes
import json
import os
import re
import signal
import subprocess

from secrets_of import all_keys, of_identity, of_object, of_room, of_space
import room

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, CONT, SETOPTIONS, TRACE_EXIT = 0, 7, 0x4200, 0x40
EXIT_EVENT = signal.SIGTRAP | 6 << 8


def memory_at_exit(place, command, stdout="/dev/null"):
    """Runs a tool to its end; gives its status and all its memory in that moment."""
    return at_exit(place, command, contents, stdout)


def at_exit(place, command, look, stdout="/dev/null"):
    """Runs a tool to its end; gives its status and what `look` saw of the process just before."""
    child = os.fork()
    if child == 0:
        os.chdir(place.path)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        LIBC.ptrace(TRACEME, 0, None, None)
        os.execve(place.tool(command[0]), command, place.env)
    os.waitpid(child, 0)
    LIBC.ptrace(SETOPTIONS, child, None, TRACE_EXIT)
    signal_to_pass = 0
    while True:
        LIBC.ptrace(CONT, child, None, signal_to_pass)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            return status, None
        if status >> 8 == EXIT_EVENT:
            found = look(child)
            LIBC.ptrace(CONT, child, None, None)
            return os.waitpid(child, 0)[1], found
        signal_to_pass = os.WSTOPSIG(status)


def contents(process):
    """All memory of a stopped process that it could have written to."""
    pieces = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            start, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if "w" not in rights or "vvar" in line:
                continue
            memory.seek(int(start, 16))
            try:
                pieces.append(memory.read(int(end, 16) - int(start, 16)))
            except OSError:
                continue  # the guards of the heap for secrets cannot be read
    return b"\0".join(pieces)


def left(found, secrets):
    """The names of the secrets that are there, whole or by half."""
    return [name for name, raw in secrets.items()
            if raw[: len(raw) // 2] in found or raw[len(raw) // 2 :] in found]


def control(place):
    """The scan finds what is there: a shell keeps its script in memory."""
    place.write("keep", b"x=" + room.OTHER.replace(b" ", b"_") + b"; exit 0\n")
    place.tool = lambda name: "/bin/bash"
    status, found = memory_at_exit(place, ["bash", "keep"])
    del place.tool
    yield "memory: the scan finds a word that a shell has kept", (
        status == 0 and room.OTHER.replace(b" ", b"_") in found)


def waiting(place, keys):
    """A batch whose first item is done: its data key is gone, the identity waits for the next."""
    first = place.read("x25519.vault")
    child = subprocess.Popen([place.tool("vault-open"), "--check", "-i", "identity"], cwd=place.path,
                             env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(b"VAULT\x01b\n" + first)
    child.stdin.flush()
    child.stdout.readline()
    os.kill(child.pid, signal.SIGSTOP)
    found = contents(child.pid)
    os.kill(child.pid, signal.SIGCONT)
    raw = of_identity(place.read("identity").decode())["identity"]
    yield "memory: the scan finds the identity while a batch waits for its next item", raw in found
    yield "memory: and then it is there once", found.count(raw) == 1
    yield "memory: the data key of the item before is gone", not left(found, of_object(first, keys))
    child.communicate()


def checks(place):
    yield from control(place)
    keys = all_keys(place)
    yield from waiting(place, keys)
    for kind in place.readers:
        secrets = of_room(place, kind)
        opened = {**secrets, **of_object(place.read(kind + ".vault"), keys)}
        command = ["vault-open", *place.openers[kind], kind + ".vault"]
        yield clean(place, command, opened)
        status, found = memory_at_exit(place, ["vault-seal", *place.readers[kind], "plain"],
                                       stdout=str(place.path / "again"))
        made = of_object(place.read("again"), keys)
        if kind == "x25519":
            secrets = {}  # it never had the private half
        yield verdict(f"vault-seal for {kind}", status, left(found, {**secrets, **made}))
    yield from of_vault_key(place)


def receipts(place, kind):
    raw = place.read(kind + ".vault")
    envelope = raw[24 : 24 + int.from_bytes(raw[12:16])].decode()
    place.write("receipts", b"".join(json.dumps({"envelope": envelope, "n": n}).encode() + b"\n"
                                     for n in range(3)))


def clean(place, command, secrets, what=None):
    status, found = memory_at_exit(place, command)
    return verdict(what or " ".join(command[:2]), status, left(found, secrets))


def verdict(what, status, names):
    if names:
        print("  left:", what, names)
    return f"memory: nothing secret is left at the end of {what}", status == 0 and not names


def of_vault_key(place):
    status, found = memory_at_exit(place, ["vault-key", "new", "-o", "fresh"])
    yield verdict("vault-key new", status, left(found, of_identity(place.read("fresh").decode())))
    command = ["vault-key", "space", "new", "--password-file", "password", "-o", "s2"]
    status, found = memory_at_exit(place, command)
    made = {"password": room.PASSWORD, **of_space(place.read("s2"), room.PASSWORD)}
    yield verdict("vault-key space new", status, left(found, made))
    command = ["vault-key", "space", "passwd", "--password-file", "password",
               "--new-password-file", "other-password", "s2"]
    status, found = memory_at_exit(place, command)
    made |= {"new password": room.OTHER, **of_space(place.read("s2"), room.OTHER)}
    yield verdict("vault-key space passwd", status, left(found, made))
    yield from of_readers(place)


def of_readers(place):
    """Every kind of key takes a data key out of its slot, and wraps it for another."""
    keys = all_keys(place)
    place.write("new-kek", os.urandom(32))
    for kind in place.readers:
        secrets = {**of_room(place, kind), **of_object(place.read(kind + ".vault"), keys),
                   "new KEK": place.read("new-kek")}
        receipts(place, kind)
        to = [[*place.openers[kind], "--to-key-file", "new-kek", "-r", place.recipient, "receipts"],
              ["--receipts", *place.openers[kind], "--add-key-file", "new-kek", "receipts"],
              [*place.openers[kind], "--add-key-file", "new-kek", kind + ".vault"]]
        for what, options in zip(("rewrap", "share", "share"), to):
            yield clean(place, ["vault-key", what, *options], secrets,
                        f"vault-key {what} of {options[-1]} with {kind}")
    receipts(place, "key")
    secrets = {**of_room(place, "key"), **of_room(place, "space"),
               **of_object(place.read("key.vault"), keys)}
    command = ["vault-key", "rewrap", "--key-file", "kek", "--to-space", "space",
               "--password-file", "password", "receipts"]
    yield clean(place, command, secrets, "vault-key rewrap to a space")
    command = ["vault-key", "space", "capture", "--password-file", "password", "space"]
    yield clean(place, command, of_room(place, "space"), "vault-key space capture")
