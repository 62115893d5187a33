"""test_vectors.py: the reader against the vector files of objects at rest (kind s, one item)."""

import hashlib
import pathlib
import sys
import uuid

import vault_text
from read_vault import Identity, Reader, Shared, bech32
from vault_frames import Refused

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "vectors"


def load(file):
    head, _, body = file.read_bytes().partition(b"\n\n")
    pairs = [line.split(": ", 1) for line in head.decode().split("\n")]
    return pairs, dict(pairs), body


def keys(pairs):
    make = {"identity": lambda v: Identity(bech32(v)),
            "kek": lambda v: Shared(bytes.fromhex(v), b"key"),
            "master": lambda v: Shared(bytes.fromhex(v), b"space")}
    return [make[name](value) for name, value in pairs if name in make]


def outcome(pairs, headers, body):
    """The name of the error or ok, and the data that came out before."""
    pieces = []
    override = headers.get("envelope-override")
    reader = Reader(keys(pairs), pieces.append, override and vault_text.unescape(override))
    try:
        manifest = reader.read(body)
        wanted = headers.get("want-item")
        if wanted and uuid.UUID(wanted) != uuid.UUID(bytes=reader.item):
            return "other-object", None
        sha3 = headers.get("want-sha3-256")
        if sha3 and manifest["digest"].get("sha3-256") != bytes.fromhex(sha3):
            return "other-object", None
        return "ok", b"".join(pieces)
    except Refused as error:
        return str(error), b"".join(pieces)


def right(headers, found, data):
    if found != headers["expect"]:
        return False
    size, sha = int(headers.get("payload-bytes", "0")), headers.get("payload-sha256")
    if data is None or len(data) < size and found != "ok":
        return True  # held back
    return len(data) == size and (not sha or hashlib.sha256(data).hexdigest() == sha)


def main():
    passed = failed = 0
    for file in sorted(FOLDER.glob("[a-z]*/*")):
        pairs, headers, body = load(file)
        if headers.get("kind") != "s" or body[5:7] == b"\x01b":
            continue
        found, data = outcome(pairs, headers, body)
        if right(headers, found, data):
            passed += 1
        else:
            failed += 1
            print(f"{file.parent.name}/{file.name}: expected {headers['expect']}, found {found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
