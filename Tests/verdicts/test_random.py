"""test_random.py: when the system gives no random bytes, nothing is made of it: no object, no key, no slot."""

import pathlib
import subprocess
import sys
import tempfile

from bed import Report, environment, pipeline, tool

FAULTS = ("ENOSYS", "EAGAIN", "EIO")


def makers(room):
    """(name, command, standard input, file that it would make): each of them needs random bytes."""
    key, reader = str(room / "key"), tool("vault-key", "public", str(room / "key")).decode().strip()
    plain = tool("vault-hash", data=b"text")
    sealed = pipeline(["vault-seal", "-r", reader], data=plain)
    yield "vault-key new", ["vault-key", "new", "-o", "made"], b""
    yield "vault-key space new", ["vault-key", "space", "new", "--password-file", "password", "-o", "made"], b""
    yield "vault-hash", ["sh", "-c", "exec vault-hash >made"], b"text"
    yield "vault-seal", ["sh", "-c", f"exec vault-seal -r {reader} >made"], plain
    yield "vault-key share", ["vault-key", "share", "-i", key, "--add",
                              tool("vault-key", "new").decode().split()[-2], "-o", "made"], sealed
    yield "vault-put", ["vault-put", "made"], tool("vault-chunk", data=sealed)


def calls(command, data, room):
    """How many calls for random bytes a good run makes."""
    done = subprocess.run(["strace", "-f", "-o", "calls", "-e", "trace=getrandom", *command], input=data,
                          cwd=room, capture_output=True, env=environment(), timeout=60, check=False)
    (room / "made").unlink(missing_ok=True)
    return done.returncode, (room / "calls").read_text().count("getrandom(")


def main():
    report = Report()
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder)
        tool("vault-key", "new", "-o", str(room / "key"))
        (room / "password").write_text("correct horse\n")
        (room / "password").chmod(0o600)
        for name, command, data in makers(room):
            status, count = calls(command, data, room)
            report.check(status == 0 and count > 0, f"{name}: {status}, {count} calls")
            for fault in FAULTS:
                for number in range(1, count + 1):
                    tried += 1
                    judge(report, room, name, command, data, f"error={fault}:when={number}+")
    print(f"{tried} failures of the random source")
    return report.close("random")


def judge(report, room, name, command, data, inject):
    done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", f"inject=getrandom:{inject}", *command],
                          input=data, cwd=room, capture_output=True, env=environment(), timeout=60, check=False)
    made = room / "made"
    size = made.stat().st_size if made.exists() else 0
    whole = size > 0 and done.returncode != 0 and not name.startswith(("vault-hash", "vault-seal"))
    # The C library may ask for random bytes of its own at the start, and does without.
    good = done.returncode == 0 and size > 0 or done.returncode > 1 and not whole
    report.check(good, f"{name}, {inject}: {done.returncode}, {size} bytes, {done.stderr}")
    if done.returncode == 0 and name == "vault-key new":
        report.check(len(set(made.read_text())) > 10, f"{name}, {inject}: a key without entropy")
    made.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
