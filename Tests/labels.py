#!/usr/bin/env python3
"""labels.py STREAM FOLDER: the stream, a batch of one item, with other labels that are as long as a label can be.

Each of them goes to FOLDER/CODE-NAME, where CODE is the exit status that it must give.
"""

import pathlib
import struct
import sys

LIMIT = 1 << 20
ROW = 262_144


def filled(head, unit, tail, size):
    return head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail


def escaped(raw):
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x25 else f"%{b:02X}" for b in raw).encode()


def members(count, size):
    names = [b'"%05d":""' % n for n in range(count)]
    names[0] = b'"x":"' + b" " * (size - len(b",".join(names)) - 2) + b'"'
    return b"{" + b",".join(names) + b"}"


def labels(start):
    size = LIMIT - len(start)
    rows = {"65-row-of-one-byte-more": filled(b'{"a":"', b" ", b'"}', ROW + 1),
            "65-row-that-is-a-list": filled(b"[", b"1,", b"1]", ROW),
            "65-row-of-10001-members": members(10_001, ROW),
            "0-row-of-10000-members": members(10_000, ROW),
            "0-row-of-spaces": filled(b'{"a":"', b" ", b'"}', ROW),
            "0-row-of-numbers": filled(b'{"a":[', b"1,", b"1]}", ROW),
            "0-row-of-lists": filled(b'{"a":[', b"[],", b"1]}", ROW),
            "0-row-of-objects": filled(b'{"a":[', b'{"":0},', b"1]}", ROW)}
    for name, row in rows.items():
        yield name, start + b"row " + escaped(row) + b"\n"
    yield "65-lines", start + filled(b"", b"x-a b\n", b"", size)
    yield "65-fields", start + filled(b"x-a", b" b", b"\n", size)
    yield "65-value", start + filled(b"x-a ", b"b", b"\n", size)
    yield "65-target", start + filled(b"target ", b"b", b"\n", size)
    yield "65-escaped-target", start + filled(b"target ", b"%20", b"\n", size)
    yield "65-items", filled(b"vault-label/1\nitem", b" b", b"\n", LIMIT)


def main():
    stream, folder = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2])
    assert stream[6:7] == b"b" and stream[16:17] == b"L", "not a batch that begins with a label"
    count = int.from_bytes(stream[20:24], "big")
    old = stream[32 : 32 + count]
    start = b"".join(old.splitlines(keepends=True)[:2])
    for name, label in labels(start):
        head = stream[16:20] + struct.pack(">I", len(label)) + stream[24:32]
        (folder / name).write_bytes(stream[:16] + head + label + stream[32 + count :])


if __name__ == "__main__":
    main()
