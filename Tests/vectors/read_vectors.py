#!/usr/bin/env python3
"""Reads every vector file with a reader made from docs/FORMAT.md, and compares what comes out.

It shares no code with the writer. Cobblestone, HPKE and HKDF are those of `cryptography`;
only chunks of a slice, which have no message around them, are opened one by one.
"""

import hashlib
import sys
from pathlib import Path

import sealed_reader
import space_reader
from stream_reader import Asked, Stream
from text_reader import Refused

HERE = Path(__file__).resolve().parent


def parsed(raw: bytes) -> tuple[dict[str, list[str]], bytes]:
    head, stream = raw.split(b"\n\n", 1)
    headers: dict[str, list[str]] = {}
    for line in head.decode("ascii").split("\n"):
        name, _, value = line.partition(": ")
        headers.setdefault(name, []).append(value)
    return headers, stream


def outcome(headers: dict[str, list[str]], raw: bytes) -> tuple[str, bytes]:
    asked = Asked(headers)
    stream = Stream(raw, asked, sealed_reader.READERS)
    try:
        stream.read()
    except Refused as error:
        return str(error), bytes(stream.released)
    return stream.first_fault or "ok", bytes(stream.released)


def wrong(file: Path) -> str | None:
    headers, raw = parsed(file.read_bytes())
    if headers["kind"] == ["space"]:
        return space_reader.wrong(headers, raw)
    result, data = outcome(headers, raw)
    if result != headers["expect"][0]:
        return f"{result}, expected {headers['expect'][0]}"
    if str(len(data)) != headers["payload-bytes"][0]:
        return f"{len(data)} bytes released, expected {headers['payload-bytes'][0]}"
    if hashlib.sha256(data).hexdigest() != headers["payload-sha256"][0]:
        return "other bytes released"
    return None


def main() -> int:
    files = sorted(file for file in HERE.glob("*/*") if "__pycache__" not in file.parts)
    faults = {file: fault for file in files if (fault := wrong(file))}
    for file, fault in faults.items():
        print(f"read_vectors.py: error: {file.relative_to(HERE)}: {fault}", file=sys.stderr)
    print(f"{len(files) - len(faults)} of {len(files)} files read as expected")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
