"""Reads sealed items and slices: clauses 6 to 10."""

import hashlib
import hmac
import struct
import uuid

from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

from stream_reader import Item
from text_reader import Refused, from_b64, read_envelope, read_text, unescape, value

CHUNK, SEALED = 16384, 16400
LETTERS = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def private_key(identity: str) -> X25519PrivateKey:
    """The key of AGE-SECRET-KEY-1…; the checksum is not looked at."""
    data = identity.rpartition("1")[2][:-6]
    bits = 0
    for letter in data:
        bits = bits << 5 | LETTERS.index(letter)
    return X25519PrivateKey.from_private_bytes((bits >> (len(data) * 5 - 256)).to_bytes(32))


def derive(secret: bytes, salt: bytes | None, info: bytes, count: int) -> bytes:
    return HKDF(hashes.SHA256(), count, salt, info).derive(secret)


class Envelope:
    """An envelope that is well formed and not damaged."""

    def __init__(self, raw: bytes):
        self.lines = read_envelope(raw)
        self.slots = [line for line in self.lines if line[0] == b"slot"]
        before_mac = raw.rindex(b"mac ")
        before_check = raw.rindex(b"check ", 0, before_mac)
        self.covered, self.mac = raw[:before_mac], from_b64(self.lines[-1][1])
        if hashlib.sha256(raw[:before_check]).digest()[:16] != from_b64(self.lines[-2][1]):
            raise Refused("envelope-damaged")
        self.item = uuid.UUID(self.lines[1][1].decode())
        self.head = from_b64(self.lines[2][1]) + from_b64(self.lines[2][2])

    def check_mac(self, data_key: bytes) -> None:
        key = HKDFExpand(hashes.SHA512(), 32, b"vault/1 envelope mac\0").derive(data_key)
        if hmac.digest(key, self.covered, "sha256") != self.mac:
            raise Refused("envelope-forged")


class Keys:
    """The keys at hand, by kind and id of the slots that are theirs."""

    def __init__(self, asked):
        self.by_id = {}
        for text in asked.identities:
            key = private_key(text)
            public = key.public_key().public_bytes_raw()
            ident = hashlib.sha256(b"vault/1 id x25519\0" + public).hexdigest()[:16]
            self.by_id["x25519", ident] = key
        for kek in asked.keks:
            self.by_id["key", derive(kek, None, b"vault/1 id key\0", 8).hex()] = kek
        for master in asked.masters:
            ident = derive(master, None, b"vault/1 id space\0", 8).hex()
            self.by_id["space", ident] = self.by_id["derived", ident] = master

    def data_key(self, envelope: Envelope) -> bytes:
        for line in envelope.slots:
            kind, ident = line[1].decode(), line[2].decode() if len(line) > 2 else ""
            key = self.by_id.get((kind, ident))
            if key is not None:
                return self.opened(kind, key, line, envelope.item.bytes)
        raise Refused("no-key")

    def opened(self, kind: str, key, line: list[bytes], item: bytes) -> bytes:
        fields = [from_b64(field) for field in line[3:]]
        if kind == "derived":
            return derive(key, fields[0], b"vault/1 derived\0" + item, 32)
        info = f"vault/1 slot {kind}\0".encode() + item
        try:
            if kind == "x25519":
                return self.from_hpke(key, *fields, info)
            out = derive(key, fields[0], info, 44)
            return AESGCM(out[:32]).decrypt(out[32:], fields[1], b"")
        except (InvalidTag, ValueError):
            raise Refused("slot-damaged") from None

    def from_hpke(self, key, enc: bytes, wrapped: bytes, info: bytes) -> bytes:
        if int.from_bytes(enc, "little") >= 2**255 - 19:
            raise ValueError("not canonical")
        suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
        return suite.decrypt(enc + wrapped, key, info=info)


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
    SKIP_AFTER = b"M"

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
        lines, self.size = self.manifest(payload), len(self.data)
        if int(value(lines, b"size")) != self.size:
            raise Refused("size-mismatch")
        digests = [(line[1], line[2].decode()) for line in lines if line[0] == b"digest"]
        if self.stream.asked.digest:
            digests.append((b"sha3-256", self.stream.asked.digest))
        for name, digest in digests:
            if hashlib.new(name.decode().replace("-", "_"), self.data).hexdigest() != digest:
                raise Refused("digest-mismatch")


class Slice(WithEnvelope):
    SKIP_AFTER = b"M"

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
