"""read_vault.py KEYFILE OBJECT >data: opens a sealed object by docs/FORMAT.md and by nothing else.

KEYFILE holds age identities, or the 32 bytes of a key-encryption key (raw, or as hex). What is not
as the format says ends with its name of clause 11 on standard error, and with the exit code there.
The sealing itself is that of `cryptography`: cryptography.cobblestone and hazmat.primitives.hpke.
"""

import hashlib
import hmac
import sys
import uuid

from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hpke
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

import vault_text
from vault_frames import CHUNK, HEAD, Refused, frames, refuse_if

EXITS = {"incomplete": 66, "aborted": 66, "no-key": 77}
DIGESTS = {"sha3-256": hashlib.sha3_256, "sha256": hashlib.sha256}
SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)
LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def hkdf(secret, salt, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class Identity:
    """An X25519 key."""

    kinds = {"x25519"}

    def __init__(self, scalar):
        self.private = X25519PrivateKey.from_private_bytes(scalar)
        public = self.private.public_key().public_bytes_raw()
        self.id = hashlib.sha256(b"vault/1 id x25519\0" + public).digest()[:8]

    def data_key(self, kind, item, enc, ct):
        point = int.from_bytes(enc, "little")
        refuse_if(point >= 2**255 - 19, "slot-damaged")
        return SUITE.decrypt(enc + ct, self.private, info=b"vault/1 slot x25519\0" + item)


class Shared:
    """A key-encryption key, or the master key of a space."""

    def __init__(self, secret, label):
        self.secret, self.label = secret, label
        self.kinds = {"key"} if label == b"key" else {"space", "derived"}
        self.id = hkdf(secret, None, b"vault/1 id " + label + b"\0", 8)

    def data_key(self, kind, item, salt, ct=None):
        if kind == "derived":
            return hkdf(self.secret, salt, b"vault/1 derived\0" + item, 32)
        both = hkdf(self.secret, salt, b"vault/1 slot " + self.label + b"\0" + item, 44)
        return AESGCM(both[:32]).decrypt(both[32:], ct, None)


def bech32(text):
    """The data of an age identity; the checksum is the one of BIP 173."""
    prefix, _, rest = text.lower().rpartition("1")
    values = [LETTERS.index(letter) for letter in rest]
    check = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + values:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, term in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= term if top >> bit & 1 else 0
    if check != 1:
        raise ValueError("the checksum of an identity is wrong")
    bits = "".join(f"{value:05b}" for value in values[:-6])
    return int(bits[:256], 2).to_bytes(32, "big")


def keys_of(file):
    with open(file, "rb") as handle:
        raw = handle.read()
    words = [line for line in raw.decode("latin-1").split() if line.startswith("AGE-SECRET-KEY-1")]
    if words:
        return [Identity(bech32(word)) for word in words]
    return [Shared(raw if len(raw) == 32 else bytes.fromhex(raw.decode().strip()), b"key")]


def parsed(read, payload, name):
    try:
        return read(payload)
    except vault_text.BadText as error:
        raise Refused(name) from error


def check(envelope):
    sha = hashlib.sha256(envelope["before_check"]).digest()
    refuse_if(sha[:16] != envelope["check"], "envelope-damaged")


def open_slot(envelope, keys):
    item = uuid.UUID(envelope["item"]).bytes
    for kind, slot_id, fields in envelope["slots"]:
        for key in keys:
            if kind in key.kinds and slot_id == key.id:
                try:
                    return key.data_key(kind, item, *fields)
                except (InvalidTag, ValueError) as error:
                    raise Refused("slot-damaged") from error
    raise Refused("no-key")


def check_mac(envelope, data_key):
    key = HKDFExpand(hashes.SHA512(), 32, b"vault/1 envelope mac\0").derive(data_key)
    mac = hmac.digest(key, envelope["before_mac"], "sha256")
    refuse_if(not hmac.compare_digest(mac, envelope["mac"]), "envelope-forged")


def cobblestone(message, data_key, label, item):
    decryptor = Cobblestone256Decryptor(data_key, label + item)
    return decryptor.update(message) + decryptor.finalize()


class Reader:
    """Opens one object; `released` is called with each piece of data that is authenticated."""

    def __init__(self, keys, released, override=None):
        self.keys, self.released = keys, released
        self.override = override and parsed(vault_text.envelope, override, "envelope-malformed")
        self.digests = {name: make() for name, make in DIGESTS.items()}
        self.size = 0

    def read(self, data):
        for kind, payload in frames(data):
            getattr(self, "on_" + kind)(payload)
        return self.manifest

    def on_E(self, payload):
        own = self.envelope = parsed(vault_text.envelope, payload, "envelope-malformed")
        check(own)
        self.holder = self.override or own
        check(self.holder)
        same = all(self.holder[name] == own[name] for name in ("item", "body"))
        refuse_if(not same, "other-object")
        self.body = None

    def on_C(self, payload):
        if self.body is None:
            self.unlock(payload[:HEAD])
            payload = payload[HEAD:]
        for at in range(0, len(payload), CHUNK):
            self.feed(lambda: self.body.update(payload[at:at + CHUNK]))
        if len(payload) % CHUNK:
            self.feed(self.body.finalize)

    def unlock(self, head):
        refuse_if(head != self.envelope["body"], "body-mismatch")
        self.key = open_slot(self.holder, self.keys)
        check_mac(self.holder, self.key)
        check_mac(self.envelope, self.key)
        self.item = uuid.UUID(self.envelope["item"]).bytes
        self.body = Cobblestone256Decryptor(self.key, b"vault/1 body" + self.item)
        self.feed(lambda: self.body.update(head))

    def feed(self, step):
        try:
            data = step()
        except (InvalidTag, ValueError) as error:
            raise Refused("body-damaged") from error
        if not data:
            return
        self.size += len(data)
        for digest in self.digests.values():
            digest.update(data)
        self.released(data)

    def on_M(self, payload):
        try:
            self.manifest_text = cobblestone(payload, self.key, b"vault/1 manifest", self.item)
        except (InvalidTag, ValueError) as error:
            raise Refused("manifest-damaged") from error
        self.manifest = parsed(vault_text.manifest, self.manifest_text, "manifest-malformed")
        refuse_if(self.manifest["body"] != self.envelope["body"][24:], "manifest-damaged")

    def on_Z(self, payload):
        refuse_if(self.manifest["size"] != self.size, "size-mismatch")
        for name, value in self.manifest["digest"].items():
            refuse_if(self.digests[name].digest() != value, "digest-mismatch")


def main():
    key_file, object_file = sys.argv[1:]
    with open(object_file, "rb") as handle:
        data = handle.read()
    try:
        Reader(keys_of(key_file), sys.stdout.buffer.write).read(data)
    except Refused as error:
        print(f"read_vault.py: error: {error}", file=sys.stderr)
        return EXITS.get(str(error), 65)
    return 0


if __name__ == "__main__":
    sys.exit(main())
