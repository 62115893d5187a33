"""The secrets of a room, found with the reader of the vectors, which shares no code with the tools."""

import hmac
import re

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

import room  # sets the path
from envelope_reader import Envelope, Keys, private_key
from space_reader import fields_of, unlocked
from text_reader import from_b64


def envelope_of(raw: bytes) -> Envelope:
    return Envelope(raw[24 : 24 + int.from_bytes(raw[12:16])])


class Asked:
    def __init__(self, identities=(), keks=(), masters=()):
        self.identities, self.keks, self.masters = identities, keks, masters


def of_space(file: bytes, password: bytes) -> dict[str, bytes]:
    master, _ = unlocked(file, password, None, None)
    lines = fields_of(file)
    stretched = PBKDF2HMAC(hashes.SHA256(), 32, from_b64(lines[3][3]), int(lines[3][2]))
    return {"master key": master, "unlocking key": stretched.derive(password)}


def of_object(raw: bytes, keys: Keys) -> dict[str, bytes]:
    envelope = envelope_of(raw)
    data_key = keys.data_key(envelope)
    envelope.check_mac(data_key)
    mac = HKDFExpand(hashes.SHA512(), 32, b"vault/1 envelope mac\0").derive(data_key)
    assert hmac.digest(mac, envelope.covered, "sha256") == envelope.mac
    return {"data key": data_key, "MAC key of the envelope": mac}


def of_identity(text: str) -> dict[str, bytes]:
    line = re.search(r"AGE-SECRET-KEY-1\w+", text)[0]
    raw = private_key(line).private_bytes_raw()
    return {"identity": raw, "identity as text": line[16:60].encode()}


def of_room(place: "room.Room", kind: str) -> dict[str, bytes]:
    """What a tool that seals or opens with this kind of key has had in its memory."""
    identity, kek = place.read("identity").decode(), place.read("kek")
    if kind == "x25519":
        found = of_identity(identity)
    elif kind == "key":
        found = {"KEK": kek}
    else:
        found = {"password": room.PASSWORD, **of_space(place.read("space"), room.PASSWORD)}
    return found


def all_keys(place: "room.Room") -> Keys:
    text = re.search(r"AGE-SECRET-KEY-1\w+", place.read("identity").decode())[0]
    master = of_space(place.read("space"), room.PASSWORD)["master key"]
    return Keys(Asked([text], [place.read("kek")], [master]))
