"""test_ranges.py: vault-open --range on files, slices and pipes, as processes."""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PATH": f"{ROOT}/bin:{os.environ['PATH']}"}
CHUNK, MIB = 16384, 1 << 20
OBJECT, RANGES = 100 * MIB + 12345, 500
passed = failed = 0


def check(name, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"failed: {name} {why}")


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env=ENVIRONMENT, check=False, **options)


def opened(key, asked, file, **options):
    return run("vault-open", "-i", key, "--range", asked, *([file] if file else []), **options)


def seal(data, vault, key):
    with open(vault, "wb") as out:
        first = subprocess.Popen(["vault-hash", data], stdout=subprocess.PIPE, env=ENVIRONMENT)
        recipient = run("vault-key", "public", key).stdout.decode().strip()
        second = subprocess.run(["vault-seal", "-r", recipient], stdin=first.stdout, stdout=out,
                                env=ENVIRONMENT, check=True)
        first.stdout.close()
        if first.wait() or second.returncode:
            raise SystemExit("cannot seal")


def ranges(size):
    source = random.Random(20261130)
    for _ in range(RANGES):
        first = source.randrange(size)
        length = min(int(2 ** source.uniform(0, 21)), size - first)
        form = source.randrange(10)
        if form == 0:
            yield f"-{length}", size - length, size
        elif form == 1 and size - first <= 4 * MIB:
            yield f"{first}-", first, size
        else:
            yield f"{first}-{first + length - 1}", first, first + length


def many_ranges(folder, data, vault, key):
    good = 0
    for asked, first, end in ranges(OBJECT):
        done = opened(key, asked, vault)
        good += done.returncode == 0 and done.stdout == data[first:end]
    check(f"{RANGES} ranges of {OBJECT} bytes", good == RANGES, f"{good} good")
    print(f"{good} of {RANGES} random ranges of a file of {OBJECT} bytes are the original's")


def other_ways(folder, data, vault, key):
    asked, expect = "1048570-3145730", data[1048570:3145731]
    with open(vault, "rb") as file:
        done = opened(key, asked, None, stdin=file)
    check("a file on standard input", done.stdout == expect and done.returncode == 0)
    sealed = pathlib.Path(vault).read_bytes()
    done = opened(key, asked, "-", input=sealed)
    check("a sealed stream on a pipe", done.stdout == expect and done.returncode == 0)
    done = opened(key, asked, "-", input=sealed[:-1])
    check("a stream cut by one byte", done.returncode == 66 and done.stdout == expect)
    done = opened(key, "-1000000", "-", input=sealed)
    check("the last bytes of a pipe", done.stdout == data[-1000000:])
    out = folder / "out"
    done = run("vault-open", "-i", key, "--range", asked, "-o", out, vault)
    check("-o", done.returncode == 0 and out.read_bytes() == expect)
    done = run("vault-open", "-i", key, "--range", f"{OBJECT}-", "-o", folder / "none", vault)
    check("-o of a bad range", done.returncode == 65 and not (folder / "none").exists())
    check("its message", b"begins past the end" in done.stderr, done.stderr)
    for option in ["--check", "--framed", "--inspect"]:
        done = run("vault-open", "-i", key, "--range", "0-1", option, vault)
        check(f"--range with {option}", done.returncode == 64 and not done.stdout)


def empty_items(folder, key):
    (folder / "empty").write_bytes(b"")
    seal(folder / "empty", folder / "empty.vault", key)
    for asked, status in [("-5", 0), ("0-", 65), ("0-5", 65)]:
        done = opened(key, asked, folder / "empty.vault")
        check(f"{asked} of an empty item", done.returncode == status and not done.stdout)


def slices(key):
    # The vector of a good slice, without and with its range.
    raw = (ROOT / "Tests/vectors/slice/of-an-x25519-item").read_bytes()
    head, stream = raw.split(b"\n\n", 1)
    lines = dict(line.split(": ", 1) for line in head.decode().splitlines())
    first, count = map(int, lines["range"].split())
    key.write_text(lines["identity"] + "\n")
    key.chmod(0o600)
    done = run("vault-open", "-i", key, input=stream)
    check("a slice without --range", done.returncode == 65 and b"--range" in done.stderr)
    done = opened(key, f"{first}-{first + count - 1}", None, input=stream)
    check("a slice", done.returncode == 0 and len(done.stdout) == count, done.stderr)


def reads_little(folder, vault, key):
    if not shutil.which("strace"):
        print("skipped: strace is missing")
        return
    log = folder / "calls"
    for first, last in [(50 * MIB, 50 * MIB), (50 * MIB, 53 * MIB - 1), (0, 0)]:
        run("strace", "-o", log, "-e", "trace=pread64", "vault-open", "-i", key, "--range",
            f"{first}-{last}", vault)
        total = sum(int(n) for n in re.findall(r"pread64\(.*= (\d+)$", log.read_text(), re.M))
        touched = last // CHUNK - first // CHUNK + 1
        limit = touched * (CHUNK + 16) + 16 * (touched // 64 + 1) + 65536
        check(f"bytes read for {first}-{last}", 0 < total <= limit, f"{total} of {limit}")
        print(f"{last - first + 1} bytes at {first}: {total} read, {limit} allowed")


def main():
    with tempfile.TemporaryDirectory(dir=ROOT / ".build") as name:
        folder = pathlib.Path(name)
        data = random.Random(1).randbytes(OBJECT)
        (folder / "data").write_bytes(data)
        key, vault = folder / "key", folder / "data.vault"
        run("vault-key", "new", "-o", key)
        seal(folder / "data", vault, key)
        many_ranges(folder, data, vault, key)
        other_ways(folder, data, vault, key)
        empty_items(folder, key)
        reads_little(folder, vault, key)
        slices(folder / "vector.key")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
