"""The frames of an object at rest, docs/FORMAT.md, clauses 2 to 4: strict, one frame at a time."""

import struct

MIB = 1 << 20
CHUNK = 16384 + 16
HEAD = 56
FULL = 64 * CHUNK
LIMITS = {"L": MIB, "D": MIB, "H": 1024, "E": 16384, "C": FULL + HEAD, "T": 16455, "M": 16455,
          "P": 48, "S": 65536, "X": 1024, "Z": 24}
TRANSIENT, SKIPPABLE = 1, 2


class Refused(Exception):
    """Its text is a name of clause 11."""


def refuse_if(condition, name):
    if condition:
        raise Refused(name)


def prologue(data):
    marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", "VAULT".encode("utf-16-le"),
             "VAULT".encode("utf-16-be"))
    refuse_if(any(data.startswith(mark) for mark in marks), "text-damage")
    refuse_if(not b"VAULT".startswith(data[:5]), "not-a-stream")
    refuse_if(len(data) > 5 and data[5] != 1, "unsupported-version")
    refuse_if(len(data) > 7 and data[7] == 13, "text-damage")
    refuse_if(len(data) > 6 and data[6:7] not in b"pscrfbe", "unknown-kind")
    refuse_if(len(data) > 7 and data[7] != 10, "not-a-stream")
    refuse_if(len(data) > 6 and data[6:7] != b"s", "wrong-kind")
    refuse_if(len(data) < 8, "incomplete")


class Body:
    """What the C frames were so far: how many, whether the short last chunk has come, data bytes."""

    def __init__(self):
        self.frames, self.ended, self.bytes = 0, False, 0

    def take(self, length, index):
        refuse_if(self.ended, "frame-order")
        refuse_if(index != 64 * self.frames, "frame-index")
        chunks = length if self.frames else length - HEAD
        self.frames += 1
        if chunks == FULL:
            self.bytes += 64 * 16384
            return
        full, last = divmod(chunks, CHUNK)
        refuse_if(chunks < 16 or last < 16, "frame-length")
        self.bytes += full * 16384 + last - 16
        self.ended = True


def allowed(kind, before, body):
    """Whether a frame may follow the one before it in an object at rest."""
    return {"E": before is None, "C": before in ("E", "C"), "M": before == "C" and body.ended,
            "Z": before == "M", "X": True}.get(kind, False)


def check_header(kind, flags, zero, before):
    known = kind in LIMITS
    refuse_if(flags & ~(TRANSIENT | SKIPPABLE), "bad-flags")
    refuse_if(known and flags != (TRANSIENT if kind in "LSX" else 0), "bad-flags")
    refuse_if(zero, "bad-reserved")
    refuse_if(not known and not flags & SKIPPABLE, "unknown-frame")
    refuse_if(not known and before != "M", "frame-order")


def frames(data):
    """Yields (type, payload) of each frame of one object at rest, checked by all that needs no key."""
    prologue(data)
    at, before, body, manifest_at = 8, None, Body(), 0
    while before != "Z":
        refuse_if(len(data) < at + 16, "incomplete")
        code, flags, zero, length, index = struct.unpack_from(">BBHIQ", data, at)
        kind = chr(code)
        check_header(kind, flags, zero, before)
        refuse_if(kind in LIMITS and not allowed(kind, before, body), "frame-order")
        refuse_if(length > LIMITS.get(kind, MIB), "frame-too-long")
        if kind == "C":
            body.take(length, index)
        elif kind in LIMITS:
            refuse_if(index, "frame-index")
        refuse_if(length == 0 and kind in LIMITS, "frame-length")
        refuse_if(kind == "Z" and length != 24, "frame-length")
        refuse_if(kind == "M" and length < HEAD + 16, "frame-length")
        refuse_if(len(data) < at + 16 + length, "incomplete")
        payload = data[at + 16:at + 16 + length]
        if kind == "M":
            manifest_at = at
        if kind == "Z":
            counted = struct.pack(">QQQ", body.bytes, body.frames, manifest_at)
            refuse_if(payload != counted, "end-mismatch")
        at += 16 + length
        if kind in LIMITS:
            before = kind
            yield kind, payload
        refuse_if(kind == "X", "aborted")
    refuse_if(len(data) > at, "trailing-bytes")
