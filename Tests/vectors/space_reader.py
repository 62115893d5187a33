"""Reads space files: clause 13. It shares nothing with the writer."""

import hashlib
import hmac
import re
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from envelope_reader import derive
from text_reader import Refused, from_b64, is_b64, is_number, is_uuid

NAMES = [b"vault-space/1", b"space", b"revision", b"kdf", b"master", b"capture", b"check", b"mac"]


def fields_of(raw: bytes) -> list[list[bytes]]:
    if len(raw) > 1024 or not re.fullmatch(rb"(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*\n)+", raw):
        raise Refused("space-malformed")
    lines = [line.split(b" ") for line in raw.split(b"\n")[:-1]]
    if [line[0] for line in lines] != NAMES or len(lines[0]) != 1:
        raise Refused("space-malformed")
    kdf = lines[3][1:]
    shapes = [lines[1][1:], lines[2][1:], kdf[-1:], *(line[1:] for line in lines[4:])]
    kinds = [[is_uuid], [is_number], [is_b64(32)], [is_b64(32), is_b64(48)],
             [is_b64(32), is_b64(32), is_b64(48)], [is_b64(16)], [is_b64(32)]]
    for found, wanted in zip(shapes, kinds):
        if len(found) != len(wanted) or not all(good(f) for good, f in zip(wanted, found)):
            raise Refused("space-malformed")
    if lines[2][1] == b"0" or not is_method(kdf):
        raise Refused("space-malformed")
    return lines


def is_method(kdf: list[bytes]) -> bool:
    if kdf[0] == b"access-key":
        return len(kdf) == 2
    return (kdf[0] == b"pbkdf2-hmac-sha256" and len(kdf) == 3 and is_number(kdf[1])
            and 600_000 <= int(kdf[1]) <= 10_000_000)


def unlocking_key(kdf: list[bytes], password: bytes | None, access_key: bytes | None) -> bytes:
    salt = from_b64(kdf[-1])
    if kdf[0] == b"access-key":
        return hmac.digest(salt, access_key, "sha256")
    return PBKDF2HMAC(hashes.SHA256(), 32, salt, int(kdf[1])).derive(password)


def unlocked(raw: bytes, password, access_key, want_revision) -> tuple[bytes, bytes]:
    """The master key and the public half of the capture key."""
    lines = fields_of(raw)
    before_mac = raw[: raw.rindex(b"mac ")]
    before_check = before_mac[: before_mac.rindex(b"check ")]
    if hashlib.sha256(before_check).digest()[:16] != from_b64(lines[6][1]):
        raise Refused("space-damaged")
    space = uuid.UUID(lines[1][1].decode()).bytes
    key = unlocking_key(lines[3][1:], password, access_key)
    wrap = HKDFExpand(hashes.SHA256(), 76, b"vault-space/1 wrap\0" + space).derive(key)
    if wrap[44:] != from_b64(lines[4][1]):
        raise Refused("wrong-password")
    try:
        master = AESGCM(wrap[:32]).decrypt(wrap[32:44], from_b64(lines[4][2]), b"")
        mac = derive(master, None, b"vault-space/1 mac\0" + space, 32)
        if hmac.digest(mac, before_mac, "sha256") != from_b64(lines[7][1]):
            raise Refused("space-forged")
        public, salt, sealed = (from_b64(field) for field in lines[5][1:])
        out = derive(master, salt, b"vault-space/1 capture\0" + space, 44)
        half = AESGCM(out[:32]).decrypt(out[32:], sealed, b"")
    except InvalidTag:
        raise Refused("space-forged") from None
    if X25519PrivateKey.from_private_bytes(half).public_key().public_bytes_raw() != public:
        raise Refused("space-forged")
    if want_revision and int(lines[2][1]) != want_revision:
        raise Refused("other-object")
    return master, public


def wrong(headers: dict[str, list[str]], raw: bytes) -> str | None:
    """What a vector file of a space should say and does not."""
    def given(name, read):
        return read(headers[name][0]) if name in headers else None

    keys = given("password", bytes.fromhex), given("access-key", bytes.fromhex)
    try:
        master, public = unlocked(raw, *keys, given("want-revision", int))
        result = "ok"
    except Refused as error:
        result = str(error)
    if result != headers["expect"][0]:
        return f"{result}, expected {headers['expect'][0]}"
    if result == "ok" and [master.hex(), public.hex()] != headers["master"] + headers["capture"]:
        return "other keys"
    return None
