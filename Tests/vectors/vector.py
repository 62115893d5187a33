"""A vector file: header lines, a blank line, the bytes of a stream. See README.md."""

import hashlib

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from crypto import identity, public_bytes
from writer import fixed, joined

ALICE = X25519PrivateKey.from_private_bytes(fixed("alice", 32))
BOB = X25519PrivateKey.from_private_bytes(fixed("bob", 32))
ALICE_PUBLIC, BOB_PUBLIC = public_bytes(ALICE), public_bytes(BOB)
KEK = bytes(range(32))
MASTER = bytes(range(32, 64))

WITH_ALICE = {"identity": identity(ALICE)}
WITH_BOB = {"identity": identity(BOB)}
WITH_KEK = {"kek": KEK.hex()}
WITH_MASTER = {"master": MASTER.hex()}

VECTORS: dict[str, bytes] = {}


def vector(name: str, kind: str, expect: str, comment: str, stream, data=b"", **headers) -> None:
    """Adds a file. `data` is what a reader may release before it stops."""
    assert name not in VECTORS, name
    fields = {
        "comment": comment,
        "kind": kind,
        "expect": expect,
        "payload-bytes": len(data),
        "payload-sha256": hashlib.sha256(data).hexdigest(),
        **headers,
    }
    lines = []
    for key, value in fields.items():
        values = value if isinstance(value, list) else [value]
        lines += [f"{key.replace('_', '-')}: {one}\n" for one in values]
    VECTORS[name] = "".join(lines).encode("ascii") + b"\n" + joined(stream)


def changed(old: bytes, new: bytes):
    """An edit that puts `new` where `old` stands, once."""

    def edit(text: bytes) -> bytes:
        assert text.count(old) == 1, (old, text)
        return text.replace(old, new)

    return edit


def flipped(raw: bytes, at: int) -> bytes:
    out = bytearray(raw)
    out[at] ^= 1
    return bytes(out)
