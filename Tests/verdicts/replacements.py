"""What a store that is not trusted may put in the place of an object."""

import dataclasses
import json
import pathlib
import struct
import subprocess

from bed import pipeline, tool

ITEM = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


def frames(data):
    """The frames of one item, each with its header; the prologue is the first of the pieces."""
    pieces, at = [data[:8]], 8
    while at < len(data):
        length = struct.unpack_from(">I", data, at + 4)[0]
        pieces.append(data[at:at + 16 + length])
        at += 16 + length
    return pieces


def frame(kind, payload, flags=0, index=0):
    return struct.pack(">cBHIQ", kind, flags, 0, len(payload), index) + payload


def batch(*items, labels=()):
    """A batch of sealed objects; a label goes before the envelope of its item."""
    out = b"VAULT\x01b\n"
    for number, item in enumerate(items):
        label = labels[number] if number < len(labels) else b""
        out += item[:8] + label + item[8:]
    end = struct.pack(">QQQ", len(items), len(items), 0)
    return out + b"VAULT\x01e\n" + frame(b"Z", end)


def label(item, row):
    return frame(b"L", f"vault-label/1\nitem {item}\nrow {escaped(row)}\n".encode(), flags=1)


def escaped(text):
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x25 else f"%{b:02X}" for b in text.encode())


def envelope_of(data):
    return data[24:24 + struct.unpack_from(">I", data, 12)[0]].decode()


def enveloped(envelope):
    text = escaped(envelope)
    return frame(b"L", f"vault-label/1\nitem {ITEM}\nenvelope {text}\n".encode(), flags=1)


def item_of(data):
    length = struct.unpack_from(">I", data, 12)[0]
    return data[24:24 + length].decode().split("\n")[1].split(" ")[1]


def own_row(data):
    """A row that names the object itself, as a stranger would write it."""
    length = struct.unpack_from(">I", data, 12)[0]
    body = data[24:24 + length].decode().split("\n")[2].split(" ", 1)[1]
    return json.dumps({"source": "x", "item": item_of(data), "body": body, "object_bytes": len(data)})


def self_naming(data):
    return batch(data, labels=[label(item_of(data), own_row(data))])


def zero_slots(data):
    """The object with other slot ids, and a check that fits: what a stranger can do without a key."""
    pieces = frames(data)
    lines = pieces[1][16:].decode().split("\n")
    lines = [" ".join(line.split(" ")[:2] + ["00" * 8] + line.split(" ")[3:])
             if line.startswith("slot ") else line for line in lines]
    return b"".join([pieces[0], frame(b"E", rechecked(lines)), *pieces[2:]])


def rechecked(lines):
    import base64
    import hashlib
    at = next(n for n, line in enumerate(lines) if line.startswith("check "))
    before = "\n".join(lines[:at]) + "\n"
    check = base64.b64encode(hashlib.sha256(before.encode()).digest()[:16]).decode().rstrip("=")
    return (before + f"check {check}\n" + "\n".join(lines[at + 1:])).encode()


@dataclasses.dataclass
class Originals:
    """The expected object and its kin, all sealed for one key."""

    key: str
    data: bytes
    good: bytes
    older: bytes
    forged: bytes
    renamed: bytes
    other: bytes
    shared: bytes


def originals(room):
    key = str(room / "key")
    tool("vault-key", "new", "-o", key)
    reader = tool("vault-key", "public", key).decode().strip()
    data = bytes(n * 7 % 251 for n in range(3_000_000))

    def sealed(text, item):
        return pipeline(["vault-hash", "--item", item], ["vault-seal", "-r", reader], data=text)

    good = sealed(data, ITEM)
    more = tool("vault-key", "new").decode()
    extra = next(w for w in more.split() if w.startswith("age1"))
    return Originals(
        key=key, data=data, good=good, older=sealed(data, ITEM),
        forged=sealed(data[::-1], ITEM), renamed=sealed(data, OTHER),
        other=sealed(data[:70_000], OTHER),
        shared=tool("vault-key", "share", "-i", key, "--add", extra, data=good))


def replacements(room, made):
    """(name, bytes or a function that makes the place, kind): kind says what it is, for the judgement."""
    good, pieces = made.good, frames(made.good)
    (room / "sliced").write_bytes(good)
    (room / "sliced-other").write_bytes(made.other)

    def sliced(name, asked):
        return tool("vault-get", "--range", asked, str(room / name))

    small = pipeline(["vault-hash", "--item", ITEM], ["vault-seal", "-r",
                     tool("vault-key", "public", made.key).decode().strip()], data=b"small")
    yield "the object itself", good, "good"
    yield "the same, sealed before", made.older, "same item"
    yield "a forgery under its item", made.forged, "same item"
    yield "itself with another reader", made.shared, "rewrapped"
    yield "itself under another item", made.renamed, "other item"
    yield "another object", made.other, "other item"
    yield "nothing at all", b"", "junk"
    yield "no file", None, "junk"
    yield "an empty batch", batch(), "empty batch"
    yield "a batch of itself", batch(good), "batch of itself"
    yield "a batch of itself, with its own row", self_naming(good), "batch of itself"
    yield "a batch of another, with its own row", self_naming(made.other), "batch of another"
    yield "a batch of a forgery, with its own row", self_naming(made.forged), "batch of same item"
    yield "a batch of itself and another", batch(good, made.other), "batch of two"
    yield "a batch of itself twice", batch(good, good), "batch of two"
    padded = batch(small, labels=[label(ITEM, json.dumps(
        {"source": "x", "pad": "x" * 200_000}))])
    yield "a batch within the size of the original", padded, "batch of same item"
    yield "an aborted item", good[:8] + frame(
        b"X", b"vault-abort/1\nstage vault-get\nexit 69\nerror missing-object\n", flags=1), "junk"
    yield "a slice of it", sliced("sliced", "0-9"), "slice"
    yield "a slice of another", sliced("sliced-other", "0-9"), "slice of another"
    yield "a frame added", b"".join([*pieces[:-1], frame(b"y", b"foreign", flags=2), pieces[-1]]), "junk"
    yield "a frame dropped", b"".join(pieces[:2] + pieces[3:]), "junk"
    yield "the manifest dropped", b"".join(pieces[:-2] + pieces[-1:]), "junk"
    yield "two frames swapped", b"".join(pieces[:2] + [pieces[3], pieces[2]] + pieces[4:]), "junk"
    yield "a frame doubled", b"".join(pieces[:3] + pieces[2:]), "junk"
    yield "cut in the middle", good[:len(good) // 2], "junk"
    yield "cut by a byte", good[:-1], "junk"
    yield "a byte more", good + b"\0", "junk"
    yield "the object twice", good + good, "junk"
    yield "other slot ids", zero_slots(good), "other slots"
    own = envelope_of(good)
    yield "a line of JSON with its envelope", json.dumps({"envelope": own}).encode() + b"\n", "junk"
    yield "a receipt of itself", json.dumps({"receipt": "vault/1", "item": ITEM, "status": "stored",
                                             "envelope": own}).encode() + b"\n", "junk"
    yield "a batch of itself, with its envelope in the label", batch(good, labels=[enveloped(own)]), "forged batch"
    yield "a batch of itself, with other slot ids in the label", batch(
        good, labels=[enveloped(envelope_of(zero_slots(good)))]), "forged batch"
    row = json.dumps({"source": "x", "envelope": envelope_of(zero_slots(good))})
    yield "a batch of itself, with other slot ids in the row", batch(good, labels=[label(ITEM, row)]), \
        "forged batch, other slots"
    yield "a plain file", made.data[:5000], "junk"
    yield "a plain stream", tool("vault-hash", data=b"plain"), "junk"
    yield "a parts stream", tool("vault-chunk", data=good), "junk"
    yield "a directory", "directory", "junk"
    yield "a FIFO that never ends", "fifo", "fifo"


def place(path: pathlib.Path, what):
    """Puts it there; returns a process to end afterwards, where one holds it open."""
    if what is None:
        return None
    if what == "directory":
        path.mkdir()
    elif what == "fifo":
        import os
        os.mkfifo(path)
        return subprocess.Popen(["sh", "-c", f'exec 3>"{path}"; exec sleep 1000'])
    else:
        path.write_bytes(what)
    return None
