"""The frames of an object at rest, docs/FORMAT.md, clauses 2 to 4: strict, one frame at a time."""

import struct

import vault_text

CHUNK = 16384 + 16
HEAD = 56
FULL = 64 * CHUNK
MIB = 1 << 20
# The least and the most bytes of each payload.
LIMITS = {"L": (1, MIB), "D": (1, MIB), "H": (1, 1024), "E": (1, 16384), "C": (16, FULL + HEAD),
          "T": (72, 16455), "M": (72, 16455), "P": (48, 48), "S": (1, 65536), "X": (1, 1024),
          "Z": (24, 24)}
MARKS = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"V\0A\0", b"\0V\0A"


class Refused(Exception):
    """Its text is a name of clause 11."""


def refuse_if(condition, name):
    if condition:
        raise Refused(name)


def prologue(data):
    """Clause 2: the eight bytes are looked at together, in the order that it gives."""
    if len(data) < 8:
        refuse_if(not b"VAULT\x01".startswith(data[:6]), "not-a-stream")
        raise Refused("incomplete")
    refuse_if(data.startswith(MARKS), "text-damage")
    refuse_if(data[:5] != b"VAULT", "not-a-stream")
    refuse_if(data[7] == 13, "text-damage")
    refuse_if(data[5] != 1, "unsupported-version")
    refuse_if(data[7] != 10, "not-a-stream")
    refuse_if(data[6:7] not in (b"p", b"s", b"c", b"r", b"f", b"b", b"e"), "unknown-kind")
    refuse_if(data[6:7] != b"s", "wrong-kind")


class Body:
    """What the C frames were so far: how many, whether the short last chunk has come, data bytes."""

    def __init__(self):
        self.frames, self.ended, self.bytes = 0, False, 0

    def take(self, length):
        chunks = length if self.frames else length - HEAD
        self.frames += 1
        if chunks == FULL:
            self.bytes += 64 * 16384
            return
        full, last = divmod(chunks, CHUNK)
        refuse_if(chunks < 16 or full > 63 or last < 16, "frame-length")
        self.bytes += full * 16384 + last - 16
        self.ended = True


def allowed(kind, before, body):
    """Whether a frame may follow the one before it in an object at rest."""
    return {"E": before is None, "C": before in ("E", "C") and not body.ended,
            "M": before == "C" and body.ended, "Z": before == "M", "X": True}.get(kind, False)


def header(raw, before, body):
    """Type and length of a frame; clause 3 says in which order the fields are looked at."""
    code, flags, zero, length, index = struct.unpack(">BBHIQ", raw)
    kind = chr(code)
    refuse_if(kind not in LIMITS, "unknown-frame")
    refuse_if(flags != (1 if kind in "LSX" else 0), "bad-flags")
    refuse_if(zero, "bad-reserved")
    refuse_if(length > LIMITS[kind][1], "frame-too-long")
    refuse_if(length < LIMITS[kind][0], "frame-length")
    refuse_if(not allowed(kind, before, body), "frame-order")
    refuse_if(index != (64 * body.frames if kind == "C" else 0), "frame-index")
    if kind == "C":
        body.take(length)
    return kind, length


def aborted(payload):
    try:
        vault_text.abort(payload)
    except vault_text.BadText as error:
        raise Refused("bad-text") from error
    raise Refused("aborted")


def frames(data):
    """Yields (type, payload) of each frame of one object at rest, checked by all that needs no key."""
    prologue(data)
    at, before, body, manifest_at = 8, None, Body(), 0
    while before != "Z":
        refuse_if(len(data) < at + 16, "incomplete")
        kind, length = header(data[at:at + 16], before, body)
        refuse_if(len(data) < at + 16 + length, "incomplete")
        payload = data[at + 16:at + 16 + length]
        if kind == "X":
            aborted(payload)
        if kind == "M":
            manifest_at = at
        if kind == "Z":
            counted = struct.pack(">QQQ", body.bytes, body.frames, manifest_at)
            refuse_if(payload != counted, "end-mismatch")
        at += 16 + length
        before = kind
        yield kind, payload
    refuse_if(len(data) > at, "trailing-bytes")
