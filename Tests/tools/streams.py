"""Streams taken apart and put together (docs/FORMAT.md, clauses 2 to 5): what no tool of ours would write."""

import hashlib
import struct

HEAD = struct.Struct(">cBHIQ")


def frames(stream):
    """(letter, payload, where its header begins) of each frame of a lone item."""
    at = 8
    while at < len(stream):
        letter, _, _, length, _ = HEAD.unpack_from(stream, at)
        yield letter.decode(), stream[at + 16:at + 16 + length], at
        at += 16 + length


def frame(letter, payload, index=0):
    flags = 1 if letter in "LSX" else 0
    return HEAD.pack(letter.encode(), flags, 0, len(payload), index) + payload


def end(*numbers):
    return frame("Z", struct.pack(">QQQ", *numbers))


def recut(stream, part):
    """The same parts stream with parts of `part` bytes: smaller than vault-chunk would make them."""
    found = list(frames(stream))
    whole = b"".join(payload for letter, payload, _ in found if letter == "D")
    summary = next(payload for letter, payload, _ in found if letter == "S")
    out, count, sha256 = [b"VAULT\x01c\n"], 0, hashlib.sha256()
    for number, at in enumerate(range(0, len(whole), part), start=1):
        data = whole[at:at + part]
        for piece in range(0, len(data), 1 << 20):
            out.append(frame("D", data[piece:piece + (1 << 20)], count))
            count += 1
        sha256.update(data)
        row = struct.pack(">IIQ", number, 0, len(data)) + sha256.digest()
        out.append(frame("P", row, number - 1))
    return b"".join([*out, frame("S", summary), end(len(whole), count, 0)])


def batch(items):
    return b"".join([b"VAULT\x01b\n", *items, b"VAULT\x01e\n", end(len(items), len(items), 0)])
