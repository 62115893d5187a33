"""The messages and keys of clauses 7 and 8, with every random value given."""

import hmac
import struct

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CHUNK = 16384


def expand(algorithm: str, key: bytes, info: bytes, count: int) -> bytes:
    """HKDF-Expand of RFC 5869."""
    out, block, number = b"", b"", 1
    while len(out) < count:
        block = hmac.digest(key, block + info + bytes([number]), algorithm)
        out, number = out + block, number + 1
    return out[:count]


def hkdf(key: bytes, salt: bytes, info: bytes, count: int) -> bytes:
    """HKDF-SHA-256, extract and expand."""
    return expand("sha256", hmac.digest(salt or bytes(32), key, "sha256"), info, count)


def cobblestone_keys(key: bytes, context: bytes, salt: bytes) -> tuple:
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + context
    out = expand("sha512", key, info, 76)
    return out[:32], out[32:44], out[44:]


def chunk_nonce(base: bytes, number: int) -> bytes:
    return (int.from_bytes(base) ^ number).to_bytes(12)


def cobblestone(key: bytes, context: bytes, salt: bytes, data: bytes) -> tuple:
    """The head and the chunks of a Cobblestone-256 message with this salt."""
    chunk_key, base, commitment = cobblestone_keys(key, context, salt)
    cipher = AESGCM(chunk_key)
    pieces = [data[at : at + CHUNK] for at in range(0, len(data) + 1, CHUNK)]
    chunks = [cipher.encrypt(chunk_nonce(base, k), piece, b"") for k, piece in enumerate(pieces)]
    return salt + commitment, chunks


def public_bytes(private: X25519PrivateKey) -> bytes:
    form = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    return private.public_key().public_bytes(*form)


def hpke_key(shared: bytes, enc: bytes, recipient: bytes, info: bytes) -> tuple:
    """Key and nonce of RFC 9180 base mode from the shared point of DHKEM(X25519)."""
    kem, suite = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x02"

    def extract(salt, ident, name, ikm):
        return hmac.digest(salt or bytes(32), b"HPKE-v1" + ident + name + ikm, "sha256")

    def labeled(prk, ident, name, context, count):
        return expand(
            "sha256", prk, struct.pack(">H", count) + b"HPKE-v1" + ident + name + context, count
        )

    eae = extract(b"", kem, b"eae_prk", shared)
    secret = labeled(eae, kem, b"shared_secret", enc + recipient, 32)
    hashes = extract(b"", suite, b"psk_id_hash", b"") + extract(b"", suite, b"info_hash", info)
    prk = extract(secret, suite, b"secret", b"")
    names = (b"key", 32), (b"base_nonce", 12)
    return tuple(labeled(prk, suite, name, b"\0" + hashes, count) for name, count in names)


def bech32(name: str, raw: bytes) -> str:
    """BIP 173, without its limit on the length."""
    letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = int.from_bytes(raw) << (-len(raw) * 8 % 5)
    count = -(-len(raw) * 8 // 5)
    values = [(bits >> 5 * (count - 1 - k)) & 31 for k in range(count)]
    spread = [ord(c) >> 5 for c in name] + [0] + [ord(c) & 31 for c in name]
    check = 1
    for value in spread + values + [0] * 6:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for k, term in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= term if top >> k & 1 else 0
    check ^= 1
    values += [(check >> 5 * (5 - k)) & 31 for k in range(6)]
    return name + "1" + "".join(letters[value] for value in values)


def identity(private: X25519PrivateKey) -> str:
    return bech32("age-secret-key-", private.private_bytes_raw()).upper()
