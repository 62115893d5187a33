"""test_tools.py: objects that the built tools sealed, opened by the reader made from the format alone."""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

from read_vault import Reader, keys_of
from vault_frames import Refused

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHUNK, MIB = 16384, 1 << 20
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, MIB - 1, MIB, MIB + 1,
         64 * CHUNK - CHUNK, 128 * CHUNK - 1, 128 * CHUNK, 128 * CHUNK + 1, 5 * MIB + 12345]


def tool(*command, data=b""):
    path = f"{ROOT}/bin:{os.environ['PATH']}"
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=60,
                          env={**os.environ, "PATH": path})
    return done.stdout


def sealed(data, *options):
    return tool("vault-seal", *options, data=tool("vault-hash", "--name", "a b%é", data=data))


def opened(file, key_file):
    pieces = []
    manifest = Reader(keys_of(key_file), pieces.append).read(file)
    return b"".join(pieces), manifest


def same(data, vault, key_file):
    found, manifest = opened(vault, key_file)
    return (found == data and manifest["size"] == len(data)
            and manifest["digest"]["sha3-256"] == hashlib.sha3_256(data).digest()
            and manifest["name"] == "a b%é".encode())


def checks(room):
    """(what, whether it holds), one after another."""
    identity, other, kek = (str(room / name) for name in ("identity", "other", "kek"))
    for file in (identity, other):
        tool("vault-key", "new", "-o", file)
    pathlib.Path(kek).write_bytes(os.urandom(32))
    os.chmod(kek, 0o600)
    recipient = tool("vault-key", "public", identity).decode().strip()
    for size in SIZES:
        data = os.urandom(size)
        yield f"{size} bytes to a recipient", same(data, sealed(data, "-r", recipient), identity)
        yield f"{size} bytes to a key file", same(data, sealed(data, "--key-file", kek), kek)
    plain = tool("vault-hash", "--digest", "sha256", data=b"the other digest")
    found, manifest = opened(tool("vault-seal", "-r", recipient, data=plain), identity)
    yield "an object that has SHA-256 alone opens", (
        found == b"the other digest" and manifest["digest"] == {"sha256": hashlib.sha256(found).digest()})
    both = sealed(b"two readers", "-r", recipient, "--key-file", kek)
    yield "either of two readers opens", all(same(b"two readers", both, k) for k in (identity, kek))
    yield "another key opens nothing", refused(both, other) == "no-key"
    yield "a cut object is incomplete", refused(both[:-1], kek) == "incomplete"
    yield "sealing twice gives other bytes", both != sealed(b"two readers", "-r", recipient,
                                                            "--key-file", kek)


def refused(file, key_file):
    try:
        opened(file, key_file)
    except Refused as error:
        return str(error)
    return None


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as room:
        for what, holds in checks(pathlib.Path(room)):
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print("failed:", what)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
