"""The room of a bench: a directory of its own with inputs and keys, the tools and peers on its PATH.

Commands run in the room, so that they can be shown as they were run.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from runner import BenchError, output, shell

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/bench"
PATH = ":".join(map(str, (ROOT / "bin", BUILT / "bin", BUILT / "venv/bin")))
MIB = 1 << 20


class Room:
    def __init__(self, quick):
        self.quick = quick
        self.rounds = 1 if quick else 7
        self.size = 8 * MIB if quick else 1024 * MIB

    def scaled(self, full, quick):
        return quick if self.quick else full

    def need_disk(self, count):
        """Fails before the disk is full; a tenth is left to others."""
        if shutil.disk_usage(".").free < count * 1.1:
            raise BenchError(f"needs {count * 1.1 / (1 << 30):.0f} GiB of free disk")

    # Inputs, each made when it is first asked for.

    def made(self, name, command):
        if not pathlib.Path(name).exists():
            shell(f"{command} >{name}.new && mv {name}.new {name}")
        return name

    def data(self):
        return self.made("data", f"head -c {self.size} /dev/urandom")

    def plain(self):
        return self.made("plain", f"vault-hash <{self.data()}")

    def sealed(self):
        return self.made("sealed", f"vault-seal -R team.txt <{self.plain()}")

    def parts(self):
        return self.made("parts", f"vault-chunk <{self.sealed()}")

    def aged(self):
        return self.made("aged", f"age -R team.txt <{self.data()}")


def keys():
    """One pair of keys, age's own, for our tools and for age."""
    shell("vault-key new -o team.key && vault-key public team.key >team.txt")


def has_option(tool, option):
    return option in output(tool, "--help")


def tools_on_path():
    if not os.environ["PATH"].startswith(PATH):
        os.environ["PATH"] = f"{PATH}:{os.environ['PATH']}"
    os.environ["LC_ALL"] = "C.UTF-8"


@contextlib.contextmanager
def room(quick):
    """A new room as the working directory, removed at the end."""
    home, path = os.getcwd(), tempfile.mkdtemp(prefix="vault-bench.")
    os.chdir(path)
    try:
        keys()
        yield Room(quick)
    finally:
        os.chdir(home)
        subprocess.run(["rm", "-rf", "--", path], check=False)


@contextlib.contextmanager
def memory_directory(name):
    """A directory in memory under `name` in the room, or an error where there is none."""
    shared = pathlib.Path("/dev/shm")
    if not shared.is_dir():
        raise BenchError("no /dev/shm here")
    path = tempfile.mkdtemp(prefix="vault-bench.", dir=shared)
    os.symlink(path, name)
    try:
        yield
    finally:
        os.unlink(name)
        shutil.rmtree(path, ignore_errors=True)
