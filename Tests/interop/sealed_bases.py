"""Good objects to make mutants of, sealed by the writer of Tests/vectors, and the keys that open them."""

import dataclasses
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "vectors"))

import cases_space  # noqa: E402
from crypto import cobblestone, identity  # noqa: E402
from vector import ALICE, ALICE_PUBLIC, BOB_PUBLIC, KEK  # noqa: E402
from writer import (  # noqa: E402
    Frame, Sealed, b64, close_envelope, fixed, joined, other_slot, prologue, secret_slot, x25519_slot,
)

SPACE = cases_space.Space(access_key=cases_space.ACCESS_KEY)
IDENTITY = identity(ALICE)
# What the probe is given, in its order; the tool gets the same in files.
KEY_WORDS = [IDENTITY, KEK.hex(), cases_space.ACCESS_KEY.hex(), SPACE.file().hex()]
SECRETS = {"alice": ALICE.private_bytes_raw(), "kek": KEK, "master": SPACE.master,
           "capture": SPACE.half, "access-key": cases_space.ACCESS_KEY, "space": SPACE.file()}
EVERY_LINE = ["name r%C3%B6ntgen.dcm", "media-type application/dicom", "optimized true",
              "time 2026-01-02T03:04:05Z", 'source-etag "abc"', "source-version v1",
              "source-bytes 7", "x-series 1 of%202", "x-series 2 of%202"]
SIZES = [0, 1, 16383, 16384, 40000]
LARGE = [64 * 16384 + 5, 64 * 16384]


@dataclasses.dataclass
class Base:
    """A good object in its frames, and all that it takes to make another one with the same keys."""

    name: str
    sealed: Sealed
    frames: list  # E, C…, M, Z
    override: bytes

    @property
    def stream(self):
        return [prologue("s"), *(dataclasses.replace(frame) for frame in self.frames)]

    def closed(self, lines):
        """An envelope of these lines, with a check and a MAC that are right."""
        return close_envelope(lines, self.sealed.data_key)

    def manifest(self, text):
        """The payload of M for this text, well sealed."""
        context = b"vault/1 manifest" + self.sealed.item.bytes
        salt = self.sealed.manifest_salt
        head, chunks = cobblestone(self.sealed.data_key, context, salt, text)
        return head + b"".join(chunks)


def fitted(stream):
    """Gives the end frame the offset that M has now; the tests of the end itself change it later."""
    at = 0
    for part in stream:
        if getattr(part, "type", "") == "M":
            found = at
        at += len(bytes(part))
    numbers = struct.unpack(">QQQ", stream[-1].payload)
    stream[-1].payload = struct.pack(">QQQ", *numbers[:2], found)
    return stream


SLOTS = {
    "x25519": [x25519_slot(ALICE_PUBLIC)],
    "key": [secret_slot("key", KEK)],
    "space": [secret_slot("space", SPACE.master)],
    "capture": [x25519_slot(cases_space.public_bytes(
        cases_space.X25519PrivateKey.from_private_bytes(SPACE.half)))],
    "readers": [x25519_slot(BOB_PUBLIC), other_slot("slot later 1 %C3%B6"),
                secret_slot("key", KEK), x25519_slot(ALICE_PUBLIC, "second")],
}


def base(kind, size):
    seed = f"differential {kind} {size}"
    data = fixed(seed, size)
    extra = EVERY_LINE if size % 2 or size == 0 else ["x-a 1"]
    algorithms = ("sha3-256", "sha256") if size == 1 else ("sha3-256",)
    options = {"extra": extra, "algorithms": algorithms}
    if kind == "derived":
        sealed = Sealed(seed, data, derived_from=SPACE.master, **options)
    elif kind == "detached":
        sealed = Sealed(seed, data, **options)
    else:
        sealed = Sealed(seed, data, SLOTS[kind], **options)
    override = b""
    if kind == "detached":
        override = Sealed(seed, data, SLOTS["key"], **options).envelope()
    return Base(f"{kind}, {size} bytes", sealed, sealed.stream()[1:], override)


def all_bases():
    """The small ones, and the few large ones."""
    kinds = [*SLOTS, "derived", "detached"]
    small = [base(kind, size) for kind in kinds for size in SIZES]
    return small, [base("readers", size) for size in LARGE]


__all__ = ["Base", "Frame", "IDENTITY", "KEY_WORDS", "SECRETS", "all_bases", "b64", "cobblestone", "fitted", "joined"]
