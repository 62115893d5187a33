"""Reads sealed items and slices: clauses 6, 7, 9 and 10."""

import hashlib
import struct

from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from envelope_reader import Envelope, Keys
from stream_reader import Item
from text_reader import Refused, from_b64, read_text, unescape, value

CHUNK, SEALED = 16384, 16400


class Body:
    """Opens chunks of a Cobblestone message by their number."""

    def __init__(self, data_key: bytes, item: bytes, head: bytes):
        info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + head[:24]
        info += b"vault/1 body" + item
        out = HKDFExpand(hashes.SHA512(), 76, info).derive(data_key)
        if out[44:] != head[24:]:
            raise Refused("body-damaged")
        self.cipher, self.base = AESGCM(out[:32]), int.from_bytes(out[32:44])

    def open(self, number: int, chunk: bytes) -> bytes:
        try:
            return self.cipher.decrypt((self.base ^ number).to_bytes(12), chunk, b"")
        except InvalidTag:
            raise Refused("body-damaged") from None


class WithEnvelope(Item):
    """What a sealed item and a slice have in common."""

    def __init__(self, stream):
        super().__init__(stream)
        self.label, self.body = [], None

    def on_E(self, header, payload):
        self.own, self.length = Envelope(payload), len(payload)
        asked = self.stream.asked
        if asked.item and str(self.own.item) != asked.item:
            raise Refused("other-object")
        outside = value(self.label, b"envelope")
        if asked.envelope is not None:
            outside = unescape(asked.envelope.encode())
        self.envelope = Envelope(outside) if outside is not None else self.own
        if (self.envelope.item, self.envelope.head) != (self.own.item, self.own.head):
            raise Refused("other-object")

    def begin(self, head: bytes) -> None:
        if head != self.own.head:
            raise Refused("body-mismatch")
        self.data_key = Keys(self.stream.asked).data_key(self.envelope)
        self.own.check_mac(self.data_key)
        self.envelope.check_mac(self.data_key)
        self.body = Body(self.data_key, self.own.item.bytes, head)

    def manifest(self, payload: bytes) -> list:
        context = b"vault/1 manifest" + self.own.item.bytes
        opener = Cobblestone256Decryptor(self.data_key, context)
        try:
            text = opener.update(payload) + (opener.finalize() or b"")
        except (InvalidTag, ValueError):
            raise Refused("manifest-damaged") from None
        lines = read_text(text, b"vault-manifest/1", "manifest-malformed")
        if from_b64(value(lines, b"body")) != self.own.head[24:]:
            raise Refused("manifest-damaged")
        return lines

    def end(self, size: int) -> tuple:
        chunks = size // CHUNK + 1
        frames = -(-chunks // 64)
        offset = 8 + 16 + self.length + 16 * frames + 56 + size + 16 * chunks
        return size, frames, offset

    def on_Z(self, header, payload):
        if struct.unpack(">QQQ", payload) != self.end(self.size):
            raise Refused("end-mismatch")


class SealedItem(WithEnvelope):
    def __init__(self, stream):
        super().__init__(stream)
        self.data, self.chunks, self.whole, self.last = bytearray(), 0, bytearray(), False

    def allowed(self):
        batch = self.stream.in_batch
        more = b"M" if self.last else b"C"
        after_m = b"ZL" if batch and self.counts.get(b"L", 0) < 2 else b"Z"
        after_l = b"Z" if self.counts.get(b"M") else b"E"
        start = b"LE" if batch else b"E"
        return {b"^": start, b"L": after_l, b"E": b"C", b"C": more, b"M": after_m}[self.state]

    def index_of(self, header):
        return self.chunks if header.type == b"C" else super().index_of(header)

    def check_length(self, header):
        if header.type != b"C":
            return
        sealed = header.length - (0 if self.chunks else 56)
        full, rest = divmod(sealed, SEALED)
        if sealed < 16 or not (rest >= 16 and full < 64 or (full, rest) == (64, 0)):
            raise Refused("frame-length")

    def on_C(self, header, payload):
        if self.body is None:
            self.begin(payload[:56])
            self.whole += payload[:56]
            payload = payload[56:]
        self.whole += payload
        for at in range(0, len(payload), SEALED):
            piece = self.body.open(self.chunks, payload[at : at + SEALED])
            self.data += piece
            self.stream.released += piece
            self.chunks += 1
        self.last = len(payload) % SEALED != 0

    def on_M(self, header, payload):
        opener = Cobblestone256Decryptor(self.data_key, b"vault/1 body" + self.own.item.bytes)
        assert opener.update(bytes(self.whole)) + (opener.finalize() or b"") == self.data
        self.lines, self.size = self.manifest(payload), len(self.data)

    def on_Z(self, header, payload):
        super().on_Z(header, payload)
        if int(value(self.lines, b"size")) != self.size:
            raise Refused("size-mismatch")
        digests = [(line[1], line[2].decode()) for line in self.lines if line[0] == b"digest"]
        for name, digest in digests:
            if hashlib.new(name.decode().replace("-", "_"), self.data).hexdigest() != digest:
                raise Refused("digest-mismatch")
        wanted = self.stream.asked.digest
        if wanted and hashlib.sha3_256(self.data).hexdigest() != wanted:
            raise Refused("other-object")


class Slice(WithEnvelope):
    def __init__(self, stream):
        super().__init__(stream)
        self.first, self.count = stream.asked.ranges.pop(0)
        self.needed = []

    def allowed(self):
        more = b"C" if self.needed else b"Z"
        table = {b"^": b"LE", b"L": b"E", b"E": b"T", b"T": b"M", b"M": more, b"C": more}
        return table[self.state]

    def index_of(self, header):
        if header.type == b"T":
            return header.index
        return self.needed[0][0] if header.type == b"C" else super().index_of(header)

    def check_length(self, header):
        if header.type == b"C" and header.length != SEALED * len(self.needed[0]):
            raise Refused("frame-length")

    def on_T(self, header, payload):
        self.begin(payload[:56])
        self.last = header.index
        self.tail = self.body.open(self.last, payload[56:])
        self.size = self.last * CHUNK + len(self.tail)

    def on_M(self, header, payload):
        if int(value(self.manifest(payload), b"size")) != self.size:
            raise Refused("size-mismatch")
        if not self.count:
            return
        last = min((self.first + self.count - 1) // CHUNK + 1, self.last)
        for number in range(self.first // CHUNK, last):
            if not self.needed or number % 64 == 0:
                self.needed.append([])
            self.needed[-1].append(number)
        self.release_tail()

    def release(self, number: int, piece: bytes) -> None:
        start = max(self.first - number * CHUNK, 0)
        stop = max(self.first + self.count - number * CHUNK, 0)
        self.stream.released += piece[start:stop]

    def on_C(self, header, payload):
        for k, number in enumerate(self.needed.pop(0)):
            self.release(number, self.body.open(number, payload[k * SEALED : (k + 1) * SEALED]))
        self.release_tail()

    def release_tail(self):
        if not self.needed:
            self.release(self.last, self.tail)


READERS = {b"s": SealedItem, b"r": Slice}
