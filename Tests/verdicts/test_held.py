"""test_held.py: what a cryptographer tried and what held, kept that way: truncation by whole chunks, with frames
and an end that fit; ranges around every border; envelopes put together from two."""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from bed import Report, environment, pipeline, tool
from replacements import frame, frames, rechecked

CHUNK, SEALED, HEAD = 16384, 16400, 56
CHUNKS = 130  # two frames and a little


def opened(key, *options, data=None):
    return subprocess.run(["vault-open", "-i", key, *options], input=data, capture_output=True, check=False,
                          env=environment(), timeout=60)


def rebuilt(pieces, kept, last):
    """The object with only `kept` of its full chunks, in frames and with an end that fit; with its true short
    last chunk, or without."""
    body = b"".join(piece[16:] for piece in pieces if piece[:1] == b"C")
    head, chunks = body[:HEAD], body[HEAD:]
    short = chunks[(CHUNKS - 1) * SEALED:]
    content = chunks[:kept * SEALED] + (short if last else b"")
    out, number, framed = pieces[0] + pieces[1], 0, []
    while content or not framed:
        part, content = content[:64 * SEALED], content[64 * SEALED:]
        framed.append(frame(b"C", (head if not framed else b"") + part, index=number))
        number += 64
    out += b"".join(framed)
    offset = len(out)
    manifest = next(piece for piece in pieces if piece[:1] == b"M")
    size = kept * CHUNK + (len(short) - 16 if last else 0)
    return out + manifest + frame(b"Z", struct.pack(">QQQ", size, len(framed), offset))


def truncation(report, key, data, good):
    pieces = frames(good)
    tried = 0
    for kept in (0, 1, 63, 64, 65, 127, 128, 129):
        start = 8 + len(pieces[1]) + 16 * (kept // 64 + 1) + HEAD + kept * SEALED
        forged = [good[:start], rebuilt(pieces, kept, False)]
        if kept != CHUNKS - 1:
            forged.append(rebuilt(pieces, kept, True))
        for number, object_ in enumerate(forged):
            for options in (), ("--check",), ("--range", "0-9"), ("--range", "-5"):
                done = opened(key, *options, data=object_)
                tried += 1
                out = b"" if options == ("--check",) else done.stdout
                report.check(done.returncode in (65, 66) and out == data[:len(out)],
                             f"cut to {kept} chunks, form {number}, {options}: {done.returncode}")
    whole = rebuilt(pieces, CHUNKS - 1, True)
    report.check(whole == good, "the object is put together again as it was")
    return tried


def ranges(report, key, data, path):
    """280 ranges at and around the borders of chunks and frames, of the file and of a slice."""
    source = random.Random(20261207)
    edges = [0, 1, CHUNK, 63 * CHUNK, 64 * CHUNK, 65 * CHUNK, 128 * CHUNK, (CHUNKS - 1) * CHUNK, len(data)]
    for number in range(280):
        a, b = sorted(max(0, source.choice(edges) + source.randint(-2, 2)) for _ in range(2))
        asked = [f"{a}-{b}", f"{a}-", f"-{b + 1}"][number % 3 if b < 60 * CHUNK else number % 2]
        first, last = {"A": (a, b + 1), "O": (a, len(data))}["A" if asked.endswith(str(b)) and
                                                                 asked[0] != "-" else "O"]
        if asked[0] == "-":
            first, last = max(0, len(data) - b - 1), len(data)
        done = opened(key, "--range", asked, str(path))
        fetched = tool_status(["vault-get", "--range", asked, str(path)])
        sliced = opened(key, "--range", asked, data=fetched)
        if first >= len(data):
            report.check(done.returncode == sliced.returncode == 65 and not done.stdout, f"{asked}: past the end")
        else:
            report.check(done.returncode == 0 and done.stdout == data[first:last], f"{asked} of the file")
            report.check(sliced.returncode == 0 and sliced.stdout == data[first:last], f"{asked} of a slice")


def tool_status(command):
    return subprocess.run(command, capture_output=True, check=False, env=environment(), timeout=60).stdout


def envelopes(report, key, other, good, kin):
    """Envelopes put together from two objects, with a check that fits: nothing opens, and nothing is written."""
    pieces, foreign = frames(good), frames(kin)
    lines = pieces[1][16:].decode().split("\n")
    slot = next(line for line in lines if line.startswith("slot "))
    theirs = next(line for line in foreign[1][16:].decode().split("\n") if line.startswith("slot "))
    at = lines.index(slot)
    made = {
        "without slots": lines[:at] + ["detached"] + lines[at + 1:],
        "with a doubled slot": lines[:at] + [slot, slot] + lines[at + 1:],
        "with a slot of an unknown kind": lines[:at] + ["slot later abc", slot] + lines[at + 1:],
        "with the slot of another object": lines[:at] + [theirs] + lines[at + 1:],
        "with a slot of another object first": lines[:at] + [theirs, slot] + lines[at + 1:],
        "with garbage first": lines[:at] + ["slot x25519 " + "00" * 8 + slot[27:], slot] + lines[at + 1:],
    }
    for name, text in made.items():
        forged = b"".join([pieces[0], frame(b"E", rechecked(text)), *pieces[2:]])
        for options in (), ("--check",), ("--framed",), ("--range", "0-9"):
            done = opened(key, *options, data=forged)
            quiet = options in ((), ("--range", "0-9"))
            report.check(done.returncode in (65, 77) and (not quiet or not done.stdout),
                         f"{name}, {options}: {done.returncode}")
    swapped = b"".join([pieces[0], foreign[1], *pieces[2:]])
    report.check(opened(key, data=swapped).returncode == 65, "the envelope of another object")
    two = tool("vault-key", "share", "-i", key, "--add", reader_of(other), data=good)
    for each in key, other:
        report.check(opened(each, data=two).returncode == 0, "either of two keys opens")


def reader_of(key):
    return tool("vault-key", "public", key).decode().strip()


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder)
        key, other = str(room / "key"), str(room / "other")
        for file in key, other:
            tool("vault-key", "new", "-o", file)
        data = random.Random(1).randbytes((CHUNKS - 1) * CHUNK + 77)
        seal = ["vault-seal", "-r", reader_of(key)]
        good = pipeline(["vault-hash"], seal, data=data)
        kin = pipeline(["vault-hash"], seal, data=data)
        (room / "object").write_bytes(good)
        tried = truncation(report, key, data, good)
        ranges(report, key, data, room / "object")
        envelopes(report, key, other, good, kin)
    print(f"{tried} truncations, 280 ranges, 6 envelopes")
    return report.close("held")


if __name__ == "__main__":
    sys.exit(main())
