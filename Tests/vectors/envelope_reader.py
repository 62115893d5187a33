"""Reads envelopes and finds the data key: clause 8."""

import hashlib
import hmac
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

from text_reader import Refused, from_b64, read_envelope

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
