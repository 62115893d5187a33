"""A directory with one of each file that a tool takes, in a mount namespace of the test's own."""

import hashlib
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("VAULT_TEST_BIN", ROOT / "bin"))
TABLE = {0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78}
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("AWS_", "VAULT_", "SWIFT_", "OPENSSL_"))}
ITEM = "0c36b1f1-7f5d-4f0a-9a3e-6c1d2b8e4f50"


def alone(script):
    """Begins `script` again in a mount namespace of its own: no node of the machine is at risk. The project is
    seen at /mnt there, so that what a case takes away (/tmp, say) never takes the tools with it."""
    if os.environ.get("VAULT_TEST_ALONE") != "yes":
        os.environ["VAULT_TEST_ALONE"] = "yes"
        place = pathlib.Path(script).resolve().relative_to(ROOT)
        shell = 'mount --bind "$0" /mnt && cd /mnt && exec "$@"'
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", shell, str(ROOT)]
        os.execvp("unshare", [*words, sys.executable, f"/mnt/{place}", *sys.argv[1:]])


class Room:
    """`files` holds what was there at the start; `changed()` says what is not as it was."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="everyday-", dir=ROOT / ".build"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", self.path], check=True)
        os.umask(0o077)
        self.env = {**CLEAN, "PATH": f"{BIN}:{os.environ['PATH']}", "LC_ALL": "C"}
        self.data = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(5000))
        self.write("data", self.data)
        self.write("password", b"correct horse\n")
        self.write("new-password", b"battery staple\n")
        self.write("kek", hashlib.sha256(b"kek").digest())
        self.write("new.kek", hashlib.sha256(b"new kek").digest())
        self.write("access.key", hashlib.sha256(b"access").digest())
        self.run("vault-key", "new", "-o", "k")
        self.run("vault-key", "new", "-o", "other")
        for key, name in (("k", "team.txt"), ("other", "others.txt")):
            self.write(name, self.run("vault-key", "public", key))
        self.run("vault-key", "space", "new", "--access-key-file", "access.key", "-o", "access.space")
        self.run("vault-key", "space", "new", "--password-file", "password", "-o", "space")
        self.write("plain", self.run("vault-hash", "--item", ITEM, "data"))
        readers = ["-R", "team.txt", "--key-file", "kek", "--space", "access.space",
                   "--access-key-file", "access.key"]
        self.write("o", self.run("vault-seal", *readers, "plain"))
        self.write("batch", self.run("vault-seal", "--detach", "-R", "team.txt", "plain"))
        self.write("parts", self.run("vault-chunk", "o"))
        self.write("detached.parts", self.run("vault-chunk", "batch"))
        receipt = self.run("vault-put", "--journal", "put.journal", "detached-{item}",
                           data=self.read("detached.parts"))
        self.write("receipt", receipt)
        self.write("object.receipt", self.run("vault-put", "stored", data=self.read("parts")))

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, data):
        (self.path / name).write_bytes(data)

    def read(self, name):
        return (self.path / name).read_bytes()

    def run(self, *command, data=b"", **more):
        run = self.status(*command, data=data, **more)
        if run.returncode:
            raise RuntimeError(f"{command}: {tail(run)}")
        return run.stdout

    def status(self, *command, data=b"", env=None, timeout=30, wrap=(), only=None, **more):
        """`wrap` are words before the tool; `only` is the whole environment."""
        words = [*wrap, str(BIN / command[0]), *command[1:]]
        if "stdin" not in more:
            more["input"] = data
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("cwd", self.path)
        env = {**self.env, **(env or {})} if only is None else only
        return subprocess.run(words, timeout=timeout, env=env, **more)

    def snapshot(self):
        """Each name, what kind of file it is, its rights, and its bytes or where it leads."""
        return {path.name: look(path) for path in self.path.iterdir()}

    def changed(self, before):
        now = self.snapshot()
        return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))

    def remove(self, name):
        path = self.path / name
        if path.is_symlink() or os.path.lexists(path) and not path.is_dir():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)


def look(path):
    status = path.lstat()
    kind = stat.S_IFMT(status.st_mode)
    more = status.st_rdev
    if stat.S_ISLNK(kind):
        more = os.readlink(path)
    elif stat.S_ISREG(kind):
        more = hashlib.sha256(path.read_bytes()).hexdigest()
    return kind, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, status.st_ino, more


class Tally:
    """Counts what holds and prints what does not."""

    def __init__(self, name):
        self.name, self.passed, self.failed = name, 0, 0

    def hold(self, what, holds, why=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds and self.failed < 60:
            print(f"FAILED {what}: {why}"[:600], flush=True)

    def close(self):
        print(f"{self.name}: {self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def tail(run):
    error = (run.stderr or b"").decode(errors="replace").strip().splitlines()
    return f"exit {run.returncode}: " + " | ".join(error[:3])
