"""Writes the vault format, version 1, as docs/FORMAT.md says it.

Every value that a real writer draws at random is given or made from a seed here,
so the same call gives the same bytes. Never seal anything real with it.
"""

import base64
import hashlib
import hmac
import struct
import uuid
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from crypto import CHUNK, cobblestone, expand, hkdf, hpke_key, public_bytes

SEALED_CHUNK = CHUNK + 16
CHUNKS_A_FRAME = 64
TRANSIENT = 0x01


def fixed(seed: str, count: int) -> bytes:
    """Bytes that look random and are the same in every run."""
    return hashlib.shake_256(b"vault vectors/" + seed.encode()).digest(count)


def item_id(seed: str) -> uuid.UUID:
    """A version 4 UUID made from a seed."""
    return uuid.UUID(bytes=fixed("item/" + seed, 16), version=4)


# Clause 1.1: text


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode().rstrip("=")


def escaped(raw: bytes) -> str:
    return "".join(chr(c) if 0x21 <= c <= 0x7E and c != 0x25 else f"%{c:02X}" for c in raw)


def text(lines) -> bytes:
    return "".join(line + "\n" for line in lines).encode("latin-1")


# Clauses 2 to 4: streams and frames


def prologue(kind: str) -> bytes:
    return b"VAULT\x01" + kind.encode() + b"\n"


@dataclass
class Frame:
    """A frame whose every field can be given a wrong value."""

    type: str
    payload: bytes
    index: int = 0
    flags: int | None = None
    reserved: int = 0
    length: int | None = None

    def __bytes__(self) -> bytes:
        flags = (TRANSIENT if self.type in "LSX" else 0) if self.flags is None else self.flags
        length = len(self.payload) if self.length is None else self.length
        head = struct.pack(">cBHIQ", self.type.encode(), flags, self.reserved, length, self.index)
        return head + self.payload


def joined(stream) -> bytes:
    return b"".join(bytes(part) for part in stream)


def end(first: int, second: int, third: int = 0) -> Frame:
    return Frame("Z", struct.pack(">QQQ", first, second, third))


def abort(stage="vault-hash", status=65, error="digest-mismatch", numbers=()) -> Frame:
    lines = ["vault-abort/1", f"stage {stage}", f"exit {status}", f"error {error}"]
    if numbers:
        lines.append("numbers " + " ".join(str(number) for number in numbers))
    return Frame("X", text(lines))


def batch(items, counts=None) -> list:
    """Items between `b` and `e`; the counts are those of the items unless given."""
    if counts is None:
        aborted = sum(item[-1].type == "X" for item in items)
        counts = (len(items), len(items) - aborted, aborted)
    return [prologue("b"), *(part for item in items for part in item), prologue("e"), end(*counts)]


# Clause 5: plain items and parts


def data_frames(data: bytes, piece: int) -> list:
    starts = range(0, len(data), piece)
    return [Frame("D", data[at : at + piece], index) for index, at in enumerate(starts)]


def digest_hex(algorithm: str, data: bytes) -> str:
    return hashlib.new(algorithm.replace("-", "_"), data).hexdigest()


def label(item: uuid.UUID, more=()) -> bytes:
    return text(["vault-label/1", f"item {item}", *more])


def plain(seed: str, data: bytes, piece=16384, more=(), algorithms=("sha3-256",)) -> list:
    frames = data_frames(data, piece)
    digests = [
        Frame("H", text([f"{name} {digest_hex(name, data)}"]), index)
        for index, name in enumerate(algorithms)
    ]
    first = Frame("L", label(item_id(seed), more))
    return [prologue("p"), first, *frames, *digests, end(len(data), len(frames))]


def part_frame(number: int, data: bytes, before=b"") -> Frame:
    """The end of a part of `data`, which follows the bytes `before` of the object."""
    sha256 = hashlib.sha256(before + data).digest()
    payload = struct.pack(">IIQ", number, 0, len(data)) + sha256
    return Frame("P", payload, number - 1)


def parts(sealed: "Sealed", part=400, piece=150, more=(), first_label=None) -> list:
    """The object of `sealed`, cut in parts of `part` bytes and frames of `piece` bytes."""
    whole = joined(sealed.stream())
    stream = [prologue("c")]
    if first_label is not None:
        stream.append(Frame("L", first_label))
    count = 0
    for number, at in enumerate(range(0, len(whole), part), start=1):
        frames = data_frames(whole[at : at + part], piece)
        for frame in frames:
            frame.index += count
        count += len(frames)
        stream += [*frames, part_frame(number, whole[at : at + part], whole[:at])]
    return stream + [Frame("S", sealed.summary(whole, more)), end(len(whole), count)]


# Clause 8: slots and envelopes


def x25519_slot(recipient: bytes, seed="ephemeral", enc=None, shared=None):
    """A slot for a public key; `enc` and `shared` stand in for those of the ephemeral key."""

    def line(sealed) -> str:
        ephemeral = X25519PrivateKey.from_private_bytes(fixed(sealed.seed + "/" + seed, 32))
        point = shared or ephemeral.exchange(X25519PublicKey.from_public_bytes(recipient))
        sent = enc or public_bytes(ephemeral)
        info = b"vault/1 slot x25519\0" + sealed.item.bytes
        key, nonce = hpke_key(point, sent, recipient, info)
        wrapped = AESGCM(key).encrypt(nonce, sealed.data_key, b"")
        ident = hashlib.sha256(b"vault/1 id x25519\0" + recipient).digest()[:8]
        return f"slot x25519 {ident.hex()} {b64(sent)} {b64(wrapped)}"

    return line


def secret_id(kind: str, secret: bytes) -> str:
    return hkdf(secret, b"", b"vault/1 id " + kind.encode() + b"\0", 8).hex()


def secret_slot(kind: str, secret: bytes, seed="", salt=None):
    """A `key` or `space` slot."""

    def line(sealed) -> str:
        fresh = salt or fixed(f"{sealed.seed}/slot {kind}{seed}", 32)
        info = f"vault/1 slot {kind}\0".encode() + sealed.item.bytes
        out = hkdf(secret, fresh, info, 44)
        wrapped = AESGCM(out[:32]).encrypt(out[32:], sealed.data_key, b"")
        return f"slot {kind} {secret_id(kind, secret)} {b64(fresh)} {b64(wrapped)}"

    return line


def derived_key(master: bytes, salt: bytes, item: uuid.UUID) -> bytes:
    return hkdf(master, salt, b"vault/1 derived\0" + item.bytes, 32)


def other_slot(line: str):
    """A slot given as text."""
    return lambda sealed: line


def close_envelope(start: bytes, data_key: bytes) -> bytes:
    """An envelope's lines with `check` and `mac` after them."""
    start += f"check {b64(hashlib.sha256(start).digest()[:16])}\n".encode()
    key = expand("sha512", data_key, b"vault/1 envelope mac\0", 32)
    return start + f"mac {b64(hmac.digest(key, start, 'sha256'))}\n".encode()


# Clause 6: sealed items


class Sealed:
    """A sealed item. The edits get the text of an envelope or manifest and give another."""

    def __init__(self, seed: str, data: bytes, slots=(), derived_from=None, **more):
        self.seed, self.data = seed, data
        self.item = more.get("item") or item_id(seed)
        self.data_key = more.get("data_key") or fixed(seed + "/data key", 32)
        self.slots = list(slots)
        if derived_from is not None:
            salt = fixed(seed + "/derived", 32)
            self.data_key = derived_key(derived_from, salt, self.item)
            line = f"slot derived {secret_id('space', derived_from)} {b64(salt)}"
            self.slots.insert(0, other_slot(line))
        self.extra = more.get("extra", ())
        self.algorithms = more.get("algorithms", ("sha3-256",))
        self.edit_start = more.get("edit_start", bytes)
        self.edit_manifest = more.get("edit_manifest", bytes)
        salt = more.get("body_salt") or fixed(seed + "/body salt", 24)
        context = b"vault/1 body" + self.item.bytes
        self.head, self.chunks = cobblestone(self.data_key, context, salt, data)
        self.manifest_salt = more.get("manifest_salt") or fixed(seed + "/manifest salt", 24)

    def envelope_start(self) -> bytes:
        slots = [slot(self) for slot in self.slots] or ["detached"]
        body = f"body {b64(self.head[:24])} {b64(self.head[24:])}"
        return self.edit_start(text(["vault-envelope/1", f"item {self.item}", body, *slots]))

    def envelope(self) -> bytes:
        return close_envelope(self.envelope_start(), self.data_key)

    def manifest_text(self) -> bytes:
        lines = ["vault-manifest/1", f"body {b64(self.head[24:])}", f"size {len(self.data)}"]
        lines += [f"digest {name} {digest_hex(name, self.data)}" for name in self.algorithms]
        return self.edit_manifest(text([*lines, *self.extra]))

    def manifest(self) -> bytes:
        context = b"vault/1 manifest" + self.item.bytes
        salt = self.manifest_salt
        head, chunks = cobblestone(self.data_key, context, salt, self.manifest_text())
        return head + b"".join(chunks)

    def chunk_frames(self) -> list:
        groups = range(0, len(self.chunks), CHUNKS_A_FRAME)
        frames = [Frame("C", b"".join(self.chunks[k : k + CHUNKS_A_FRAME]), k) for k in groups]
        frames[0].payload = self.head + frames[0].payload
        return frames

    def end(self) -> Frame:
        frames = self.chunk_frames()
        offset = 8 + 16 + len(self.envelope()) + sum(len(bytes(frame)) for frame in frames)
        return end(len(self.data), len(frames), offset)

    def stream(self) -> list:
        """Prologue, E, C…, M, Z."""
        frames = [Frame("E", self.envelope()), *self.chunk_frames(), Frame("M", self.manifest())]
        return [prologue("s"), *frames, self.end()]

    def labelled(self, first=(), last=()) -> list:
        """The item as it stands in a batch, between two labels."""
        stream = self.stream()
        labels = Frame("L", label(self.item, first)), Frame("L", label(self.item, last), 1)
        return [stream[0], labels[0], *stream[1:-1], labels[1], stream[-1]]

    def summary(self, whole: bytes, more=()) -> bytes:
        counts = [f"object-bytes {len(whole)}", f"data-bytes {len(self.data)}"]
        proof = [f"chunks {len(self.chunks)}", f"sha256 {hashlib.sha256(whole).hexdigest()}"]
        body = f"body {b64(self.head[:24])} {b64(self.head[24:])}"
        envelope = f"envelope {escaped(self.envelope())}"
        start = ["vault-summary/1", f"item {self.item}", *counts, *proof]
        return text([*start, body, envelope, *more])

    def slice(self, first: int, count: int) -> list:
        """Clause 10: the parts of the object that a range needs."""
        last = len(self.chunks) - 1
        touched = range(first // CHUNK, (first + count + CHUNK - 1) // CHUNK) if count else ()
        groups = {}
        for k in touched:
            if k != last:
                groups.setdefault(k // CHUNKS_A_FRAME, []).append(k)
        tail = Frame("T", self.head + self.chunks[last], last)
        chunks = [
            Frame("C", b"".join(self.chunks[k] for k in group), group[0])
            for group in groups.values()
        ]
        frames = [Frame("E", self.envelope()), tail, Frame("M", self.manifest())]
        return [prologue("r"), *frames, *chunks, self.end()]
