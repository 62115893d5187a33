"""Vectors of clause 13: space files."""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from crypto import expand, hkdf, public_bytes
from vector import VECTORS, changed, flipped
from writer import b64, fixed, item_id

ROUNDS = 600_000
PASSWORD = b"correct horse"
ACCESS_KEY = bytes(range(64, 96))
UNLOCKED: dict[tuple, bytes] = {}


def stretched(password: bytes, salt: bytes, rounds: int) -> bytes:
    """PBKDF2, each only once: it is slow on purpose."""
    asked = password, salt, rounds
    if asked not in UNLOCKED:
        UNLOCKED[asked] = hashlib.pbkdf2_hmac("sha256", password, salt, rounds)
    return UNLOCKED[asked]


class Space:
    """A space file; the edits get its lines before `check` or all of them, and give others."""

    def __init__(self, seed="space", revision=1, **more):
        self.id, self.revision = item_id(seed), revision
        self.master, self.half = fixed(seed + "/master", 32), fixed(seed + "/capture", 32)
        self.salt = fixed(f"{seed}/salt {revision}", 32)
        self.capture_salt = fixed(f"{seed}/capture salt {revision}", 32)
        self.access_key = more.get("access_key")
        self.rounds = more.get("rounds", ROUNDS)
        self.public = more.get("public", self.half)
        self.edit = more.get("edit", bytes)
        self.mac_key = more.get("mac_key")
        self.sealed_master = more.get("sealed_master", self.master)

    def wrap(self) -> bytes:
        if self.access_key:
            key = hmac.digest(self.salt, self.access_key, "sha256")
        else:
            key = stretched(PASSWORD, self.salt, ROUNDS)
        return expand("sha256", key, b"vault-space/1 wrap\0" + self.id.bytes, 76)

    def lines(self) -> bytes:
        wrap = self.wrap()
        master = AESGCM(wrap[:32]).encrypt(wrap[32:44], self.sealed_master, b"")
        info = b"vault-space/1 capture\0" + self.id.bytes
        out = hkdf(self.master, self.capture_salt, info, 44)
        half = AESGCM(out[:32]).encrypt(out[32:], self.half, b"")
        public = public_bytes(X25519PrivateKey.from_private_bytes(self.public))
        method = "access-key" if self.access_key else f"pbkdf2-hmac-sha256 {self.rounds}"
        text = (
            f"vault-space/1\nspace {self.id}\nrevision {self.revision}\n"
            f"kdf {method} {b64(self.salt)}\nmaster {b64(wrap[44:])} {b64(master)}\n"
            f"capture {b64(public)} {b64(self.capture_salt)} {b64(half)}\n"
        )
        return self.edit(text.encode())

    def file(self) -> bytes:
        start = self.lines()
        start += f"check {b64(hashlib.sha256(start).digest()[:16])}\n".encode()
        info = b"vault-space/1 mac\0" + self.id.bytes
        key = self.mac_key or hkdf(self.master, b"", info, 32)
        return start + f"mac {b64(hmac.digest(key, start, 'sha256'))}\n".encode()


def case(name, expect, comment, space, edit=bytes, **keys) -> None:
    """A file. Without keys at hand the password is the one that it was made with."""
    keys = keys or {"password": PASSWORD.hex()}
    fields = {"comment": comment, "kind": "space", "expect": expect, **keys}
    if expect == "ok":
        public = public_bytes(X25519PrivateKey.from_private_bytes(space.half))
        fields |= {"master": space.master.hex(), "capture": public.hex()}
    lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in fields.items())
    VECTORS["space/" + name] = lines.encode("ascii") + b"\n" + edit(space.file())


def good_cases() -> None:
    case("password", "ok", "600,000 rounds", Space())
    case("access-key", "ok", "32 bytes, no rounds", Space(access_key=ACCESS_KEY),
         access_key=ACCESS_KEY.hex())
    case("second-revision", "ok", "the same keys, fresh salts", Space(revision=2))
    case("revision-that-is-expected", "ok", "2", Space(revision=2), password=PASSWORD.hex(),
         want_revision=2)
    case("older-revision", "other-object", "2 must come", Space(), password=PASSWORD.hex(),
         want_revision=2)


def secret_cases() -> None:
    case("wrong-password", "wrong-password", "another one", Space(), password=b"another".hex())
    case("password-with-line-end", "wrong-password", "the LF was not dropped", Space(),
         password=(PASSWORD + b"\n").hex())
    case("wrong-access-key", "wrong-password", "another one", Space(access_key=ACCESS_KEY),
         access_key=bytes(32).hex())


def forged_cases() -> None:
    def forged(name, comment, **more):
        case(name, "space-forged", comment, Space(**more))

    forged("mac-of-another-key", "check is right", mac_key=bytes(32))
    forged("another-master-key", "it opens, the MAC is of another", sealed_master=bytes(32))
    forged("public-half-of-another", "MAC is right", public=fixed("another", 32))
    base = Space()
    line = next(one for one in base.lines().split(b"\n") if one.startswith(b"master "))
    forged("master-does-not-open", "a bit of it flipped, check is right",
           edit=changed(line[-10:], letter_changed(line[-10:])))
    forged("salt-of-capture-changed", "the private half does not open, MAC is right",
           edit=changed(b64(base.capture_salt).encode(), b64(bytes(32)).encode()))
    forged_uuid = "another uuid gives another commitment"
    case("uuid-of-another", "wrong-password", forged_uuid,
         Space(edit=changed(str(base.id).encode(), str(item_id("another")).encode())))
    case("revision-changed", "space-forged", "2 for 1, the MAC is of 1", base,
         lambda raw: rechecked(raw, b"revision 1", b"revision 2"))


def rechecked(raw: bytes, old: bytes, new: bytes) -> bytes:
    """Changes a line and puts `check` right; the MAC stays."""
    before, rest = raw.split(b"check ")
    mac = rest[rest.index(b"mac "):]
    before = changed(old, new)(before)
    return before + f"check {b64(hashlib.sha256(before).digest()[:16])}\n".encode() + mac


def letter_changed(text: bytes) -> bytes:
    return (b"A" if text[:1] != b"A" else b"B") + text[1:]


def damaged_cases() -> None:
    base = Space()
    case("damaged-salt", "space-damaged", "told before a wrong password", base,
         lambda raw: raw.replace(b64(base.salt).encode(), b64(flipped(base.salt, 3)).encode()),
         password=b"another".hex())
    case("wrong-check", "space-damaged", "of other lines", base,
         lambda raw: raw.replace(b"revision 1", b"revision 7"))


def text_cases() -> None:
    def bad(name, comment, edit):
        case(name, "space-malformed", comment, Space(edit=edit))

    salt = b64(Space().salt).encode()
    bad("too-few-rounds", "599,999", changed(b"600000", b"599999"))
    bad("too-many-rounds", "10,000,001", changed(b"600000", b"10000001"))
    bad("very-many-rounds", "2^62", changed(b"600000", b"4611686018427387904"))
    bad("rounds-with-leading-zero", "0600000", changed(b"600000", b"0600000"))
    bad("no-rounds", "one field", changed(b"-sha256 600000", b"-sha256"))
    bad("rounds-for-an-access-key", "it has none", changed(b"pbkdf2-hmac-sha256", b"access-key"))
    bad("unknown-kdf", "scrypt", changed(b"pbkdf2-hmac-sha256", b"scrypt"))
    bad("salt-too-short", "31 bytes", changed(salt, b64(bytes(31)).encode()))
    bad("newer-version", "vault-space/2", changed(b"space/1", b"space/2"))
    bad("revision-zero", "they begin with 1", changed(b"revision 1", b"revision 0"))
    bad("nil-uuid", "all zero",
        changed(str(Space().id).encode(), b"00000000-0000-0000-0000-000000000000"))
    bad("carriage-return", "before one LF", changed(b"revision 1\n", b"revision 1\r\n"))
    bad("line-twice", "revision", changed(b"revision 1\n", b"revision 1\nrevision 1\n"))
    bad("line-missing", "revision", changed(b"revision 1\n", b""))
    bad("unknown-line", "hint", changed(b"revision 1\n", b"revision 1\nhint none\n"))
    end = Space()
    case("more-after-the-end", "space-malformed", "a line", end, lambda raw: raw + b"more\n")
    case("no-last-line-feed", "space-malformed", "the last line has no end", end,
         lambda raw: raw[:-1])
    case("byte-order-mark", "space-malformed", "before the first line", end,
         lambda raw: b"\xef\xbb\xbf" + raw)
    case("too-long", "space-malformed", "1,025 bytes", end,
         lambda raw: raw + b"x" * (1025 - len(raw)))
    case("no-text", "space-malformed", "an empty file", end, lambda raw: b"")


def all_cases() -> None:
    good_cases()
    secret_cases()
    forged_cases()
    damaged_cases()
    text_cases()
