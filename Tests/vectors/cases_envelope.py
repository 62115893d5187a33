"""Vectors of clause 8: envelopes and slots."""

import base64
import hashlib

from vector import (
    ALICE_PUBLIC, BOB_PUBLIC, KEK, MASTER, WITH_ALICE, WITH_BOB, WITH_KEK, WITH_MASTER, changed,
    flipped, vector,
)
from writer import (
    Sealed, b64, close_envelope, escaped, fixed, item_id, other_slot, secret_id, secret_slot,
    x25519_slot,
)

HELLO = b"hello"
KEK_SLOT = secret_slot("key", KEK)
SPACE_SLOT = secret_slot("space", MASTER)
ALICE_SLOT, BOB_SLOT = x25519_slot(ALICE_PUBLIC), x25519_slot(BOB_PUBLIC, "second")
UNKNOWN = other_slot("slot ml-kem-768 00ff %20 more fields")


def case(name, expect, comment, item, keys=WITH_KEK, **more) -> None:
    data = HELLO if expect == "ok" else b""
    vector("envelope/" + name, "s", expect, comment, item.stream(), data, **keys, **more)


def good_cases() -> None:
    def good(name, comment, slots, keys, **more):
        case(name, "ok", comment, Sealed(name, HELLO, slots, **more), keys)

    good("slot-x25519", "one public key", [ALICE_SLOT], WITH_ALICE)
    good("slot-key", "a key-encryption key", [KEK_SLOT], WITH_KEK)
    good("slot-space", "a master key", [SPACE_SLOT], WITH_MASTER)
    good("slot-derived", "the data key from a master key", [], WITH_MASTER, derived_from=MASTER)
    good("two-recipients-first", "opened with the first", [ALICE_SLOT, BOB_SLOT], WITH_ALICE)
    good("two-recipients-second", "opened with the second", [ALICE_SLOT, BOB_SLOT], WITH_BOB)
    good("every-kind-of-slot", "derived, x25519, key, space", [ALICE_SLOT, KEK_SLOT, SPACE_SLOT],
         WITH_KEK, derived_from=MASTER)
    good("unknown-slot-kind-is-skipped", "it comes first", [UNKNOWN, KEK_SLOT], WITH_KEK)
    many = [other_slot(f"slot future {k:016x}") for k in range(63)]
    good("sixty-four-slots", "ours is the last", [*many, KEK_SLOT], WITH_KEK)
    space = Sealed("of-16-kib", HELLO, [KEK_SLOT, other_slot("slot a b")]).envelope()
    filled = other_slot("slot a " + "b" * (16384 - len(space) + 1))
    good("of-16-kib", "the longest", [KEK_SLOT, filled], WITH_KEK)
    good("keys-of-others-at-hand", "three keys, a slot for one", [BOB_SLOT],
         {**WITH_BOB, **WITH_KEK, **WITH_MASTER})
    same = fixed("one secret", 32)
    both = [secret_slot("space", same), secret_slot("key", same)]
    good("kind-and-id-choose-the-slot", "one secret in two kinds, only the second at hand", both,
         {"kek": same.hex()})


def detached_cases() -> None:
    item = Sealed("detached", HELLO)
    outside = Sealed("detached", HELLO, [KEK_SLOT])

    def detached(name, expect, comment, envelope):
        case("detached" + name, expect, comment, item, envelope_override=escaped(envelope))

    detached("", "ok", "the slots are elsewhere", outside.envelope())
    case("detached-without-its-slots", "no-key", "no envelope with slots at hand", item)
    detached("-with-another-item", "other-object", "its envelope names another item",
             Sealed("detached", HELLO, [KEK_SLOT], item=item_id("another")).envelope())
    salt = fixed("another salt", 24)
    detached("-with-another-body", "other-object", "its envelope names another body",
             Sealed("detached", HELLO, [KEK_SLOT], body_salt=salt).envelope())
    forged = close_envelope(outside.envelope_start(), fixed("not the data key", 32))
    detached("-and-forged", "envelope-forged", "the envelope with slots has a MAC of another key",
             forged)
    detached("-and-damaged", "envelope-damaged", "the envelope with slots has a wrong check",
             changed(b"slot key ", b"slot kez ")(outside.envelope()))
    own = Sealed("detached", HELLO)
    start = own.envelope_start()
    own.envelope = lambda: close_envelope(start, fixed("not the data key", 32))
    case("detached-object-is-forged", "envelope-forged", "the object's own MAC is of another key",
         own, envelope_override=escaped(outside.envelope()))


def key_cases() -> None:
    item = Sealed("keys", HELLO, [ALICE_SLOT, KEK_SLOT, SPACE_SLOT])
    case("no-slot-for-our-key", "no-key", "a key that has no slot", item,
         {"identity": WITH_BOB["identity"], "kek": fixed("another", 32).hex()})
    case("no-key-at-hand", "no-key", "a reader without keys", item, {})
    case("key-slot-is-not-for-a-master-key", "no-key", "the KEK used as a master key",
         Sealed("keys", HELLO, [KEK_SLOT]), {"master": KEK.hex()})
    case("unknown-slots-alone", "no-key", "no slot that this version knows",
         Sealed("keys", HELLO, [UNKNOWN]))
    damaged = [spoiled(ALICE_SLOT), spoiled(KEK_SLOT), spoiled(SPACE_SLOT)]
    keys = (WITH_ALICE, WITH_KEK, WITH_MASTER)
    name = "slot-with-our-id-does-not-unwrap"
    for slot, key, more in zip(damaged, keys, ("-x25519", "", "-space")):
        case(name + more, "slot-damaged", "check and MAC are right", Sealed("keys", HELLO, [slot]),
             key)
    case("no-second-slot-is-tried", "slot-damaged", "a good slot with the same id comes after it",
         Sealed("keys", HELLO, [damaged[1], secret_slot("key", KEK, " again")]))
    other = Sealed("another", HELLO)
    other.data_key = fixed("keys/data key", 32)
    case("slot-of-another-item", "slot-damaged", "the data key, wrapped for another item id",
         Sealed("keys", HELLO, [other_slot(KEK_SLOT(other))]))
    strange = Sealed("strange", HELLO, item=item_id("keys"), data_key=fixed("not the data key", 32))
    case("slot-gives-another-data-key", "envelope-forged", "it unwraps, the MAC fails",
         Sealed("keys", HELLO, [other_slot(KEK_SLOT(strange))]))
    line = f"slot derived {secret_id('space', MASTER)} {b64(fixed('not the salt', 32))}"
    case("derived-salt-of-another-item", "envelope-forged", "it derives another data key",
         Sealed("keys", HELLO, [other_slot(line)]), WITH_MASTER)


def spoiled(slot):
    """The same slot with a bit of its last field flipped."""

    def line(sealed) -> str:
        start, last = slot(sealed).rsplit(" ", 1)
        return f"{start} {b64(flipped(base64.b64decode(last), 7))}"

    return line


def point_cases() -> None:
    """What a lax reader takes for the shared secret is known, so that it would open these."""
    zero = bytes(32)
    case("ephemeral-key-of-low-order", "slot-damaged", "the point 0, a shared secret of zeros",
         Sealed("points", HELLO, [x25519_slot(ALICE_PUBLIC, enc=zero, shared=zero)]), WITH_ALICE)
    nine = (2**255 - 19 + 9).to_bytes(32, "little")
    case("ephemeral-key-not-canonical", "slot-damaged", "the base point plus 2^255 - 19",
         Sealed("points", HELLO, [x25519_slot(ALICE_PUBLIC, enc=nine, shared=ALICE_PUBLIC)]),
         WITH_ALICE)
    top = (2**255 + 9).to_bytes(32, "little")
    case("ephemeral-key-with-top-bit", "slot-damaged", "the base point plus 2^255",
         Sealed("points", HELLO, [x25519_slot(ALICE_PUBLIC, enc=top, shared=ALICE_PUBLIC)]),
         WITH_ALICE)


def text_cases() -> None:
    """One fault in the lines before `check`; check and MAC are right."""

    def bad(name, comment, edit, slots=(KEK_SLOT,)):
        case(name, "envelope-malformed", comment, Sealed("text", HELLO, slots, edit_start=edit))

    item = str(item_id("text")).encode()
    ident = secret_id("key", KEK).encode()
    base = Sealed("text", HELLO, [KEK_SLOT])
    head = b64(base.head[:24]).encode(), b64(base.head[24:]).encode()
    slot = KEK_SLOT(base).encode() + b"\n"
    bad("newer-version", "vault-envelope/2", changed(b"velope/1", b"velope/2"))
    bad("leading-zero", "vault-envelope/01", changed(b"velope/1", b"velope/01"))
    bad("upper-case-hex", "in the id of a slot", changed(ident, ident.upper()))
    bad("upper-case-uuid", "in the line item", changed(item, item.upper()))
    bad("nil-uuid", "all zero", changed(item, b"00000000-0000-0000-0000-000000000000"))
    bad("base64-with-tail-bits", "in the commitment", changed(head[1], tail_bits(head[1])))
    bad("base64-with-padding", "in the commitment", changed(head[1], head[1] + b"="))
    bad("base64-of-urls", "- and _ for + and /",
        changed(slot, slot[:30] + slot[30:].replace(b"+", b"-").replace(b"/", b"_")))
    bad("salt-too-short", "23 bytes", changed(head[0], b64(base.head[:23]).encode()))
    bad("id-too-short", "7 bytes", changed(ident, ident[2:]))
    bad("wrapped-key-too-short", "47 bytes", changed(slot, slot[:-3] + b"\n"))
    bad("slot-with-a-field-more", "a key slot has four",
        changed(slot, slot[:-1] + b" more\n"))
    bad("slot-with-a-field-less", "the wrapped key is missing",
        changed(slot, slot[: slot.rindex(b" ")] + b"\n"))
    bad("two-spaces", "between two fields", changed(b"slot key", b"slot  key"))
    bad("carriage-return", "before one LF", changed(slot, slot[:-1] + b"\r\n"))
    bad("needless-escape-in-unknown-slot", "%66 for f",
        changed(slot, b"slot %66uture\n" + slot))
    bad("escape-of-zero-in-unknown-slot", "%00", changed(slot, b"slot future %00\n" + slot))
    bad("no-slots", "no slot and no detached", changed(slot, b""))
    bad("detached-and-a-slot", "one or the other", changed(slot, slot + b"detached\n"))
    bad("detached-twice", "once", changed(b"detached\n", b"detached\ndetached\n"), ())
    bad("two-derived-slots", "at most one",
        changed(slot, (b"slot derived " + ident + b" " + head[1] + b"\n") * 2 + slot))
    bad("sixty-five-slots", "ours is the last", changed(slot, b"slot future\n" * 64 + slot))
    bad("slot-before-body", "body comes before the slots",
        lambda t: t.replace(slot, b"").replace(b"body ", slot + b"body "))
    bad("unknown-line", "neither slot nor detached", changed(slot, slot + b"hint none\n"))
    bad("no-body", "the line is missing",
        changed(b"body " + b" ".join(head) + b"\n", b""))


def tail_bits(text: bytes) -> bytes:
    """The same value with an unused bit set in its last character."""
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return text[:-1] + bytes([letters[letters.index(text[-1]) + 1]])


def end_cases() -> None:
    """Faults in or after the lines `check` and `mac`."""

    def bad(name, expect, comment, edit, keys=WITH_KEK):
        item = Sealed("text", HELLO, [KEK_SLOT])
        envelope = edit(item.envelope())
        item.envelope = lambda: envelope
        case(name, expect, comment, item, keys)

    base = Sealed("text", HELLO, [KEK_SLOT])
    lines = base.envelope().splitlines(keepends=True)
    check, mac = lines[-2:]
    ident = secret_id("key", KEK).encode()
    value = base64.b64decode(check[6:-1] + b"==")
    wrong_check = b"check " + b64(flipped(value, 0)).encode() + b"\n"
    flip = changed(ident, hashlib.sha256(ident).hexdigest()[:16].encode())
    bad("damaged-id", "envelope-damaged", "the id of a slot changed, check did not", flip)
    bad("damaged-and-no-key", "envelope-damaged", "damage is told before a missing key", flip, {})
    bad("wrong-check", "envelope-damaged", "the MAC covers it and is old",
        changed(check, wrong_check))
    forged = close_envelope(base.envelope_start(), fixed("not the data key", 32))
    bad("forged", "envelope-forged", "check is right, MAC of another key", lambda t: forged)
    tag = flipped(base64.b64decode(mac[4:-1] + b"="), 0)
    bad("wrong-mac", "envelope-forged", "a bit of the MAC flipped",
        changed(mac, b"mac " + b64(tag).encode() + b"\n"))
    bad("no-check", "envelope-malformed", "the line is missing", changed(check, b""))
    bad("no-mac", "envelope-malformed", "the line is missing", changed(mac, b""))
    bad("line-after-mac", "envelope-malformed", "mac is the last", lambda t: t + b"more\n")
    bad("no-last-line-feed", "envelope-malformed", "the last line has no end", lambda t: t[:-1])
    bad("check-with-tail-bits", "envelope-malformed", "unused bits are not zero",
        changed(check, tail_bits(check[:-1]) + b"\n"))
    bad("no-text", "frame-length", "E of no bytes", lambda t: b"")


def mismatch_cases() -> None:
    other = Sealed("another", HELLO, [KEK_SLOT])
    item = Sealed("mismatch", HELLO, [KEK_SLOT])
    envelope = other.envelope()
    item.envelope = lambda: envelope
    case("body-is-not-the-head", "body-mismatch", "the envelope of another item", item)
    case("body-is-not-the-head-and-no-key", "body-mismatch", "told before a missing key", item, {})
    mine = Sealed("mismatch", HELLO, [KEK_SLOT])
    edit = changed(str(mine.item).encode(), str(item_id("another")).encode())
    case("item-of-another", "slot-damaged", "the slot is for the true item id",
         Sealed("mismatch", HELLO, [KEK_SLOT], edit_start=edit))


def all_cases() -> None:
    good_cases()
    detached_cases()
    key_cases()
    point_cases()
    text_cases()
    end_cases()
    mismatch_cases()
