"""Compares what `crypto` composes by hand with other people's code and known answers."""

import base64

from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from crypto import bech32, cobblestone, hkdf
from vector import ALICE, ALICE_PUBLIC
from writer import Sealed, fixed, x25519_slot


def check_cobblestone() -> None:
    for size in (0, 1, 16383, 16384, 16385, 32768, 65 * 16384):
        key, context, data = fixed("key", 32), b"context", fixed("data", size)
        head, chunks = cobblestone(key, context, fixed("salt", 24), data)
        opener = Cobblestone256Decryptor(key, context)
        plain = opener.update(head + b"".join(chunks)) + (opener.finalize() or b"")
        assert plain == data, size


def check_hpke() -> None:
    item = Sealed("self check", b"")
    enc, wrapped = (base64.b64decode(f + "==") for f in x25519_slot(ALICE_PUBLIC)(item).split()[3:])
    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
    info = b"vault/1 slot x25519\0" + item.item.bytes
    assert suite.decrypt(enc + wrapped, ALICE, info=info) == item.data_key


def check_hkdf() -> None:
    for salt in (b"", b"salt"):
        other = HKDF(hashes.SHA256(), 44, salt or None, b"info").derive(b"key")
        assert hkdf(b"key", salt, b"info", 44) == other


def check_bech32() -> None:
    assert bech32("a", b"") == "a12uel5l"  # BIP 173's own


def all_checks() -> None:
    check_cobblestone()
    check_hpke()
    check_hkdf()
    check_bech32()
