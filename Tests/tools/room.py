"""What the tests of vault-put share: a room with keys and sealed streams, the built tools, a report.

A test is a function that raises AssertionError; `run_all` runs them, some at a time, and closes with the
counts. Its name begins with the ids of docs/CASES.md that it stands for.
"""

import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/faults"))
MIB = 1 << 20
FOREIGN = ("AWS_", "VAULT_", "http_proxy", "https_proxy", "no_proxy", "all_proxy")


def clean_environment(**more):
    kept = {n: v for n, v in os.environ.items()
            if not n.startswith(FOREIGN[:2]) and n.lower() not in FOREIGN[2:]}
    usual = {"PATH": f"{ROOT}/bin:{kept['PATH']}", "LC_ALL": "C", "AWS_CONFIG_FILE": "/nonexistent",
             "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"}
    return {n: value for n, value in {**kept, **usual, **more}.items() if value is not None}


@dataclasses.dataclass
class Outcome:
    status: int
    out: bytes
    err: str
    seconds: float

    @property
    def receipts(self):
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def receipt(self):
        found = self.receipts
        return found[0] if len(found) == 1 else {"receipts": len(found)}


class Room:
    """A directory with a key, gone at exit, and what was sealed with it."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="vault-put-tests."))
        self.identity = str(self.path / "identity")
        self.lock = threading.Lock()
        tool("vault-key", "new", "-o", self.identity)
        self.recipient = tool("vault-key", "public", self.identity).out.decode().strip()

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)

    def directory(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.path))

    def data(self, size, seed=0):
        return (random.Random(f"{size}/{seed}").randbytes(65536) * (size // 65536 + 1))[:size]

    @functools.cache
    def sealed(self, size, seed=0):
        """(sealed object, parts stream in parts of 5 MiB) of `size` bytes."""
        hashed = tool("vault-hash", data=self.data(size, seed)).out
        vault = tool("vault-seal", "-r", self.recipient, data=hashed).out
        return vault, self.parts(vault)

    def parts(self, vault, *options):
        return tool("vault-chunk", "--part-size", "5MiB", *options, data=vault).out

    def opened(self, vault):
        return tool("vault-open", "-i", self.identity, data=vault).out


def tool(*command, data=b"", timeout=60, env=None):
    done = subprocess.run(command, input=data, capture_output=True, timeout=timeout,
                          env=env or clean_environment(), check=False)
    if done.returncode:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()}")
    return Outcome(done.returncode, done.stdout, done.stderr.decode(), 0)


def put(stream, *arguments, env, timeout=60, cwd=None):
    """vault-put with the stream as its standard input (bytes, or a file object)."""
    begun = time.monotonic()
    given = {"input": stream} if isinstance(stream, bytes) else {"stdin": stream}
    done = subprocess.run(["vault-put", *arguments], capture_output=True, timeout=timeout, env=env,
                          cwd=cwd, check=False, **given)
    return Outcome(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"),
                   time.monotonic() - begun)


def start(*command, env=None, **more):
    """A process that dies with the test's own."""
    return subprocess.Popen(command, env=env or clean_environment(), **more)


def finish(process, stream=None, timeout=60):
    """Its outcome; it is killed when it does not come."""
    begun = time.monotonic()
    try:
        out, err = process.communicate(stream, timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError(f"{process.args[0]} did not end within {timeout} s") from None
    return Outcome(process.returncode, out or b"", (err or b"").decode("utf-8", "replace"),
                   time.monotonic() - begun)


def peak(process):
    """Its greatest memory so far, in KiB."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def resident(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def equal(found, wanted, what=""):
    assert found == wanted, f"{what or 'value'} is {found!r}, not {wanted!r}"


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def run_all(tests, workers=4):
    """Runs (name, function) pairs and closes with the counts."""
    chosen = [t for t in tests if all(word in t[0] for word in sys.argv[1:])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        futures = [(name, pool.submit(timed, name, test)) for name, test in chosen]
        for name, future in futures:
            trouble = future.result()
            if trouble:
                failed += 1
                print(f"failed: {name}\n{trouble}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


def timed(name, test):
    begun = time.monotonic()
    trouble = None
    try:
        test()
    except AssertionError as error:
        trouble = f"  {error}"
    except Exception:  # a test that breaks has failed, and the others go on
        trouble = traceback.format_exc()
    print(f"{time.monotonic() - begun:6.1f} s  {name}", flush=True)
    return trouble


signal.signal(signal.SIGPIPE, signal.SIG_IGN)
