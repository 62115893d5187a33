"""Vectors of clauses 6, 7 and 9: sealed items, their bodies and manifests."""

from vector import KEK, WITH_KEK, changed, flipped, vector
from writer import (
    Frame, Sealed, abort, b64, digest_hex, end, fixed, item_id, joined, label,
    secret_slot,
)

HELLO = b"hello"
LONG = fixed("long", 16434)
KEK_SLOT = secret_slot("key", KEK)


def sealed(seed="faults", data=HELLO, **more) -> Sealed:
    return Sealed(seed, data, [KEK_SLOT], **more)


def good_cases() -> None:
    def case(name, comment, data, **more):
        vector("sealed/" + name, "s", "ok", comment, sealed(name, data, **more).stream(), data,
               **WITH_KEK)

    case("no-bytes", "one chunk that holds none", b"")
    case("one-byte", "one chunk of one byte", b"a")
    case("one-byte-less-than-a-chunk", "16,383 bytes", fixed("grid", 16383))
    case("one-chunk", "16,384 bytes, then a chunk that holds none", fixed("grid", 16384))
    case("one-byte-more-than-a-chunk", "16,385 bytes", fixed("grid", 16385))
    case("two-frames-of-chunks", "64 full chunks and a chunk of one byte",
         fixed("grid", 64 * 16384 + 1))
    vector("sealed/item-as-expected", "s", "ok", "the caller names the item", sealed().stream(),
           HELLO, **WITH_KEK, want_item=str(item_id("faults")))


def body_cases() -> None:
    """Faults in the payload of C: a short chunk, or a full and a short one."""
    full = 56 + 16400

    def case(name, expect, comment, edit, data=b"", whole=HELLO):
        stream = sealed("body", whole).stream()
        stream[2].payload = edit(stream[2].payload)
        vector("sealed/" + name, "s", expect, comment, stream, data, **WITH_KEK)

    case("flipped-bit-in-chunk", "body-damaged", "the only one", lambda p: flipped(p, 56))
    case("flipped-bit-in-tag", "body-damaged", "the last byte of C",
         lambda p: flipped(p, len(p) - 1))
    case("flipped-bit-in-second-chunk", "body-damaged", "of two", lambda p: flipped(p, full + 9),
         LONG[:16384], LONG)
    case("flipped-bit-in-salt", "body-mismatch", "the envelope says another",
         lambda p: flipped(p, 0))
    case("flipped-bit-in-commitment", "body-mismatch", "the envelope says another",
         lambda p: flipped(p, 55))
    case("chunks-swapped", "body-damaged", "two full chunks, then one that holds none",
         lambda p: p[:56] + p[full : full + 16400] + p[56:full] + p[full + 16400 :],
         b"", fixed("three chunks", 32768))
    case("chunk-cut-by-one-byte", "body-damaged", "M and Z follow", lambda p: p[:-1])
    case("missing-short-chunk", "frame-length", "one full chunk, then M", lambda p: p[:full],
         b"", LONG)
    case("chunk-shorter-than-its-tag", "frame-length", "15 bytes after the head",
         lambda p: p[:71])
    case("head-alone", "frame-length", "C of 56 bytes", lambda p: p[:56])
    case("head-cut", "frame-length", "C of 55 bytes", lambda p: p[:55])
    body_key_cases()


def body_key_cases() -> None:
    item = sealed("commitment")
    item.head = flipped(item.head, 40)
    vector("sealed/commitment-of-another-key", "s", "body-damaged",
           "envelope and C agree, the data key gives another commitment", item.stream(), b"",
           **WITH_KEK)
    data_key = fixed("context/data key", 32)
    other = sealed("context", item=item_id("context 2"), data_key=data_key)
    item = sealed("context", data_key=data_key)
    item.head, item.chunks = other.head, other.chunks
    vector("sealed/body-of-another-item-id", "s", "body-damaged",
           "sealed under the same data key and salt with another item id", item.stream(), b"",
           **WITH_KEK)


def frame_cases() -> None:
    """A short item here is: 0 prologue, 1 E, 2 C, 3 M, 4 Z."""

    def case(name, expect, comment, data, change):
        stream = sealed().stream()
        stream = change(stream) or stream
        vector("sealed/" + name, "s", expect, comment, stream, data, **WITH_KEK)

    def put(at, **fields):
        return lambda s: [setattr(s[at], key, value) for key, value in fields.items()] and None

    case("envelope-over-the-limit", "frame-too-long", "a header that says 16 KiB and 1", b"",
         put(1, length=16385))
    case("chunks-over-the-limit", "frame-too-long", "a header that says 1,049,657", b"",
         put(2, length=1049657))
    case("manifest-over-the-limit", "frame-too-long", "a header that says 16,456", HELLO,
         put(3, length=16456))
    case("manifest-shorter-than-a-message", "frame-length", "71 bytes", HELLO,
         put(3, payload=bytes(71)))
    case("envelope-index-not-zero", "frame-index", "E of index 1", b"", put(1, index=1))
    case("first-chunk-not-number-zero", "frame-index", "C of index 64", b"", put(2, index=64))
    case("manifest-index-not-zero", "frame-index", "M of index 1", HELLO, put(3, index=1))
    unknown = "unknown-frame"
    case("unknown-frame", unknown, "type q before Z", HELLO,
         lambda s: [*s[:4], Frame("q", b"later"), s[4]])
    case("unknown-frame-with-flag-2", unknown, "flags of a type that is not known count for nothing",
         HELLO, lambda s: [*s[:4], Frame("q", b"later", 3, 2), s[4]])
    case("unknown-frame-before-manifest", unknown, "flag 0x02", HELLO,
         lambda s: [*s[:3], Frame("q", b"later", 0, 2), *s[3:]])
    case("unknown-frame-before-envelope", unknown, "flag 0x02", b"",
         lambda s: [s[0], Frame("q", b"later", 0, 2), *s[1:]])
    case("second-flag-on-chunks", "bad-flags", "flag 0x02", b"", put(2, flags=2))
    case("second-flag-on-end", "bad-flags", "flag 0x02", HELLO, put(4, flags=2))
    case("transient-bit-on-manifest", "bad-flags", "M is not transient", HELLO, put(3, flags=1))
    case("reserved-bytes", "bad-reserved", "of the header of E", b"", put(1, reserved=1))
    case("transient-label-at-rest", "frame-order", "L before E, outside a batch", b"",
         lambda s: [s[0], Frame("L", label(item_id("faults"))), *s[1:]])
    case("transient-label-before-end", "frame-order", "L before Z, outside a batch", HELLO,
         lambda s: [*s[:4], Frame("L", label(item_id("faults"))), s[4]])
    case("data-frame", "frame-order", "D in a sealed item", b"",
         lambda s: [*s[:2], Frame("D", b"clear"), *s[2:]])
    case("no-envelope", "frame-order", "C comes first", b"", lambda s: [s[0], *s[2:]])
    case("second-envelope", "frame-order", "E twice", b"", lambda s: [*s[:2], *s[1:]])
    case("no-chunks", "frame-order", "M after E", b"", lambda s: [*s[:2], *s[3:]])
    case("no-manifest", "frame-order", "Z after C", HELLO, lambda s: [*s[:3], s[4]])
    case("second-manifest", "frame-order", "M twice", HELLO, lambda s: [*s[:4], *s[3:]])
    case("chunks-after-the-last-chunk", "frame-order", "C after a short chunk", HELLO,
         lambda s: [*s[:3], Frame("C", bytes(16), 1), *s[3:]])
    case("frame-not-full", "frame-length", "63 full chunks; the file ends with this header", b"",
         lambda s: [*s[:2], Frame("C", b"", 0, length=56 + 63 * 16400)])
    case("trailing-byte", "trailing-bytes", "one byte after Z", HELLO, lambda s: [*s, b"\n"])
    case("aborted", "aborted", "X in place of M", HELLO, lambda s: [*s[:3], abort("vault-seal")])
    case("aborted-and-more", "aborted", "M and Z follow, which a reader need not look at", HELLO,
         lambda s: [*s[:3], abort("vault-seal"), *s[3:]])
    abort_cases(case)


def abort_cases(case) -> None:
    """The text of X in place of M."""
    def said(name, expect, comment, old, new):
        frame = abort("vault-seal", 65, "digest-mismatch", (7,))
        frame.payload = changed(old, new)(frame.payload)
        case("abort-" + name, expect, comment, HELLO, lambda s: [*s[:3], frame])

    bad = "bad-text"
    said("with-exit-255", "aborted", "the largest", b"exit 65", b"exit 255")
    said("with-exit-256", bad, "one more", b"exit 65", b"exit 256")
    said("with-upper-case", bad, "in the error", b"digest-m", b"digest-M")
    said("with-40-characters", "aborted", "in the error", b"digest-mismatch", b"a" * 40)
    said("with-41-characters", bad, "in the error", b"digest-mismatch", b"a" * 41)
    said("with-a-path", bad, "in the stage", b"vault-seal", b"/bin/vault-seal")
    said("without-numbers", bad, "the word alone", b"numbers 7", b"numbers")
    said("without-error", bad, "the line is missing", b"error digest-mismatch\n", b"")
    said("of-another-version", bad, "vault-abort/2", b"abort/1", b"abort/2")


def end_cases() -> None:
    def case(name, expect, comment, data, change, **more):
        stream = change(sealed().stream())
        vector("sealed/" + name, "s", expect, comment, stream, data, **WITH_KEK, **more)

    def ended(first, second, third):
        def change(s):
            offset = len(joined(s[:3]))
            return [*s[:4], end(5 + first, 1 + second, offset + third)]

        return change

    case("end-frame-counts-wrong-bytes", "end-mismatch", "one more", HELLO, ended(1, 0, 0))
    case("end-frame-counts-wrong-frames", "end-mismatch", "one more", HELLO, ended(0, 1, 0))
    case("end-frame-offset-of-manifest", "end-mismatch", "of its payload", HELLO, ended(0, 0, 16))
    case("end-frame-of-zeros", "end-mismatch", "all zero", HELLO, lambda s: [*s[:4], end(0, 0)])
    case("cut-after-envelope", "incomplete", "no C", b"", lambda s: s[:2])
    case("cut-after-chunks", "incomplete", "no M", HELLO, lambda s: s[:3])
    case("cut-before-end", "incomplete", "no Z", HELLO, lambda s: s[:4])
    case("cut-in-the-end-frame", "incomplete", "its last byte is missing", HELLO,
         lambda s: [joined(s)[:-1]])
    case("cut-in-a-chunk", "incomplete", "all but its last byte", b"",
         lambda s: [joined(s[:3])[:-1]])
    other = str(item_id("another"))
    case("item-other-than-expected", "other-object", "the caller names another item", b"",
         lambda s: s, want_item=other)
    digest = digest_hex("sha3-256", b"other")
    case("digest-other-than-expected", "other-object", "the caller names another digest", HELLO,
         lambda s: s, want_sha3_256=digest)


def manifest_good_cases() -> None:
    def case(name, comment, **more):
        stream = sealed(name, HELLO, **more).stream()
        vector("manifest/" + name, "s", "ok", comment, stream, HELLO, **WITH_KEK)

    case("every-line", "all lines there are", algorithms=("sha3-256", "sha256"), extra=[
        "name r%C3%B6ntgen.dcm", "media-type application/dicom", "optimized true",
        "time 2026-01-02T03:04:05Z", "source-etag abc", "source-version v1", "source-bytes 7",
        "x-series 1 of%202", "x-series 2 of%202",
    ])
    case("sha256-only", "no SHA3-256", algorithms=("sha256",))
    start = len(sealed("of-16383-bytes").manifest_text())
    case("of-16383-bytes", "the longest", extra=["x-fill " + "a" * (16383 - start - 8)])


def manifest_cases() -> None:
    def case(name, expect, comment, edit):
        item = sealed("manifest", HELLO, edit_manifest=edit)
        vector("manifest/" + name, "s", expect, comment, item.stream(), HELLO, **WITH_KEK)

    other = digest_hex("sha3-256", b"other").encode()
    right = digest_hex("sha3-256", HELLO).encode()
    again = b"digest sha3-256 " + right + b"\n"
    body = b64(sealed("manifest").head[24:]).encode()
    malformed = "manifest-malformed"
    case("size-one-more", "size-mismatch", "6 for 5", changed(b"size 5", b"size 6"))
    case("digest-of-other-data", "digest-mismatch", "well sealed", changed(right, other))
    case("second-digest-of-other-data", "digest-mismatch", "SHA3-256 is right, SHA-256 is not",
         lambda t: t + b"digest sha256 " + digest_hex("sha256", b"other").encode() + b"\n")
    case("body-of-another-item", "manifest-damaged", "another commitment",
         changed(body, b64(fixed("another", 32)).encode()))
    case("no-text", malformed, "no byte", lambda t: b"")
    case("newer-version", malformed, "vault-manifest/2", changed(b"fest/1", b"fest/2"))
    case("leading-zero", malformed, "size 05", changed(b"size 5", b"size 05"))
    case("no-size", malformed, "the line is missing", changed(b"size 5\n", b""))
    case("no-digest", malformed, "one line or more", changed(again, b""))
    case("same-digest-twice", malformed, "each once", lambda t: t + again)
    case("unknown-digest", malformed, "md5", changed(again, b"digest md5 " + b"00" * 16 + b"\n"))
    case("upper-case-hex", malformed, "A to F", changed(right, right.upper()))
    case("base64-with-padding", malformed, "the commitment ends with =",
         changed(body, body + b"="))
    case("lines-in-another-order", malformed, "media-type before name",
         lambda t: t + b"media-type a\nname b\n")
    case("more-lines-before-known-ones", malformed, "x- before time",
         lambda t: t + b"x-a b\ntime 2026-01-02T03:04:05Z\n")
    case("unknown-line", malformed, "a name without x-", lambda t: t + b"colour blue\n")
    case("no-last-line-feed", malformed, "the last line has no end", lambda t: t[:-1])
    manifest_value_cases()


def manifest_value_cases() -> None:
    """One line more, whose value is on one side of an edge or on the other."""
    def case(name, comment, line, expect="manifest-malformed"):
        item = sealed("manifest", HELLO, edit_manifest=lambda t: t + line + b"\n")
        vector("manifest/" + name, "s", expect, comment, item.stream(), HELLO, **WITH_KEK)

    for name in ("media-type", "source-etag", "source-version"):
        line = name.encode() + b" "
        case(name + "-not-utf-8", "a byte that begins none", line + b"a%FF")
        case(name + "-cut-utf-8", "two bytes of three", line + b"%E2%82")
        case(name + "-of-utf-8", "four bytes", line + b"%F4%8F%BF%BF", "ok")
    case("media-type-overlong", "C0 AF for a slash", b"media-type %C0%AF")
    case("media-type-surrogate", "U+D800", b"media-type %ED%A0%80")
    case("media-type-past-unicode", "U+110000", b"media-type %F4%90%80%80")
    case("name-not-utf-8", "a name is any bytes", b"name %FF%C0%80", "ok")
    case("time-on-29-february", "of a leap year", b"time 2024-02-29T23:59:59Z", "ok")
    case("time-on-30-february", "no day of the calendar", b"time 2024-02-30T00:00:00Z")
    case("time-on-29-february-2100", "no leap year", b"time 2100-02-29T00:00:00Z")
    case("time-before-1970", "a second too early", b"time 1969-12-31T23:59:59Z")
    case("time-of-year-zero", "no year", b"time 0000-01-01T00:00:00Z")
    case("time-with-leap-second", "second 60", b"time 2016-12-31T23:59:60Z")
    case("time-at-24-hours", "of the next day", b"time 2026-01-01T24:00:00Z")
    case("optimized-false", "the line is left out then", b"optimized false")
    case("source-bytes-past-63-bits", "2^63", b"source-bytes 9223372036854775808")
    case("more-without-a-name", "x- alone", b"x- a")
    case("more-without-a-value", "x-a alone", b"x-a")


def manifest_message_cases() -> None:
    def case(name, expect, comment, change):
        item = sealed("manifest", HELLO)
        stream = item.stream()
        stream[3].payload = change(item, stream[3].payload)
        vector("manifest/" + name, "s", expect, comment, stream, HELLO, **WITH_KEK)

    damaged = "manifest-damaged"
    case("flipped-bit-in-text", damaged, "of the ciphertext", lambda i, p: flipped(p, 60))
    case("flipped-bit-in-salt", damaged, "of the message", lambda i, p: flipped(p, 3))
    case("flipped-bit-in-commitment", damaged, "of the message", lambda i, p: flipped(p, 30))
    case("flipped-bit-in-tag", damaged, "the last bit", lambda i, p: flipped(p, len(p) - 1))
    case("of-another-item", damaged, "well sealed with another data key",
         lambda i, p: sealed("another").manifest())
    case("sealed-as-a-body", damaged, "its context is that of a body", as_body)


def as_body(item: Sealed, payload: bytes) -> bytes:
    twin = sealed("manifest", item.manifest_text(), body_salt=item.manifest_salt)
    return twin.head + twin.chunks[0]


def all_cases() -> None:
    good_cases()
    body_cases()
    frame_cases()
    end_cases()
    manifest_good_cases()
    manifest_cases()
    manifest_message_cases()
