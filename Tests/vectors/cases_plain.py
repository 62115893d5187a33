"""Vectors of clauses 1 to 5: streams, frames, text, plain items."""

from vector import KEK, changed, flipped, vector
from writer import (
    TRANSIENT, Frame, Sealed, abort, digest_hex, end, fixed, item_id, joined, label,
    plain, prologue, secret_slot, text,
)

HELLO = b"hello"
KEK_SLOT = secret_slot("key", KEK)


def stream_cases() -> None:
    good = joined(plain("stream", HELLO))

    def case(name, expect, comment, raw, data=b"", kind="p"):
        vector("stream/" + name, kind, expect, comment, [raw], data)

    case("empty-input", "incomplete", "no byte at all", b"")
    case("cut-in-the-prologue", "incomplete", "five bytes of a prologue", good[:5])
    case("not-a-stream", "not-a-stream", "the bytes of some other file", b"\x7fELF" + good[4:])
    case("newer-version", "unsupported-version", "version byte 2", good[:5] + b"\2" + good[6:])
    case("version-zero", "unsupported-version", "version byte 0", good[:5] + b"\0" + good[6:])
    case("unknown-kind-q", "unknown-kind", "a letter that is no kind", good[:6] + b"q" + good[7:])
    case("upper-case-kind", "unknown-kind", "P is not p", good[:6] + b"P" + good[7:])
    case("reserved-kind-f", "wrong-kind", "foreign is reserved", good[:6] + b"f" + good[7:])
    case("sealed-where-plain-is-wanted", "wrong-kind", "a good sealed item",
         joined(Sealed("stream", HELLO, [KEK_SLOT]).stream()))
    case("plain-where-sealed-is-wanted", "wrong-kind", "a good plain item", good, kind="s")
    case("end-of-batch-first", "wrong-kind", "kind e without a batch", prologue("e"))
    case("text-mode-copy", "text-damage", "every LF became CR LF", good.replace(b"\n", b"\r\n"))
    case("eighth-byte-is-cr", "text-damage", "LF became CR", good[:7] + b"\r" + good[8:])
    case("utf-8-byte-order-mark", "text-damage", "EF BB BF before the prologue",
         b"\xef\xbb\xbf" + good)
    wide = good.decode("latin-1")
    case("utf-16", "text-damage", "UTF-16, little-endian, with its mark",
         b"\xff\xfe" + wide.encode("utf-16-le"))
    case("utf-16-big-endian", "text-damage", "UTF-16, big-endian, with its mark",
         b"\xfe\xff" + wide.encode("utf-16-be"))
    case("utf-16-without-mark", "text-damage", "UTF-16, little-endian, no mark",
         wide.encode("utf-16-le"))
    case("utf-16-big-endian-without-mark", "text-damage", "UTF-16, big-endian, no mark",
         wide.encode("utf-16-be"))
    case("trailing-byte", "trailing-bytes", "one byte after Z", good + b"\0", HELLO)
    case("second-item-without-batch", "trailing-bytes", "two items, no b before them",
         good + joined(plain("stream 2", b"world")), HELLO)


def plain_good_cases() -> None:
    def case(name, comment, data, **more):
        vector("plain/" + name, "p", "ok", comment, plain(name, data, **more), data)

    case("no-bytes", "an item without data has no D", b"")
    case("one-byte", "the smallest D", b"a")
    case("three-frames", "D frames of 1,000, 1,000 and 500 bytes", fixed("three", 2500), piece=1000)
    case("two-digests", "two H frames", HELLO, algorithms=("sha3-256", "sha256"))
    case("no-digest", "Z after D: only whoever seals refuses it", HELLO, algorithms=())
    case("no-digest-and-no-bytes", "L and Z alone", b"", algorithms=())
    case("sha256-only", "no SHA3-256", HELLO, algorithms=("sha256",))
    said = [f"bytes {len(HELLO)}", f"sha3-256 {digest_hex('sha3-256', HELLO)}"]
    case("size-and-digest-as-said", "the label tells what must come", HELLO, more=said)
    for name, algorithms in (("after-digest", ("sha3-256",)), ("without-digest", ())):
        stream = plain("second label", HELLO, algorithms=algorithms)
        second = Frame("L", label(item_id("second label"), ["source-etag abc"]), 1)
        stream.insert(-1, second)
        vector("plain/second-label-" + name, "p", "ok", "what is known at the end", stream, HELLO)


def plain_frame_cases() -> None:
    """Faults in one frame. A plain stream here is: 0 prologue, 1 L, 2 and 3 D, 4 H, 5 Z."""
    first, both = b"hello ", b"hello world!"

    def case(name, expect, comment, data, change):
        stream = plain("faults", both, piece=6)
        stream = change(stream) or stream
        vector("plain/" + name, "p", expect, comment, stream, data)

    def put(at, **fields):
        return lambda s: [setattr(s[at], key, value) for key, value in fields.items()] and None

    case("label-without-transient-bit", "bad-flags", "L is transient", b"", put(1, flags=0))
    case("data-with-transient-bit", "bad-flags", "D is not transient", first,
         put(3, flags=TRANSIENT))
    case("second-flag", "bad-flags", "flag 0x02", first, put(3, flags=2))
    case("third-flag", "bad-flags", "flag 0x04", first, put(3, flags=4))
    case("reserved-bytes", "bad-reserved", "the third byte of a header is 1", first,
         put(3, reserved=256))
    case("empty-data-frame", "frame-length", "D without a byte", first, put(3, payload=b""))
    case("data-over-the-limit", "frame-too-long", "a header that says 1 MiB and one byte", first,
         put(3, length=2**20 + 1))
    case("digest-over-the-limit", "frame-too-long", "a header of H that says 1,025", both,
         put(4, length=1025))
    case("label-over-the-limit", "frame-too-long", "a header of L that says 1 MiB and 1", b"",
         put(1, length=2**20 + 1))
    case("length-of-4-gib", "frame-too-long", "all bits of the length are one", first,
         put(3, length=2**32 - 1))
    case("data-index-repeated", "frame-index", "two D frames of index 0", first, put(3, index=0))
    case("data-index-skips-one", "frame-index", "D frames 0 and 2", first, put(3, index=2))
    case("end-index-not-zero", "frame-index", "Z of index 1", both, put(5, index=1))
    case("unknown-frame", "unknown-frame", "type q", first, put(3, type="q"))
    case("lower-case-frame-type", "unknown-frame", "d is not D", first, put(3, type="d"))
    case("short-end-frame", "frame-length", "Z of 23 bytes", both, put(5, payload=bytes(23)))
    case("long-end-frame", "frame-too-long", "Z of 25 bytes", both, put(5, payload=bytes(25)))
    case("end-frame-counts-wrong-bytes", "end-mismatch", "one byte more than there is", both,
         put(5, payload=end(13, 2).payload))
    case("end-frame-counts-wrong-frames", "end-mismatch", "one frame less than there is", both,
         put(5, payload=end(12, 1).payload))
    case("end-frame-third-number", "end-mismatch", "it is 0 in a plain item", both,
         put(5, payload=end(12, 2, 1).payload))
    digest = flipped(digest_hex("sha3-256", both).encode(), 0)
    case("digest-of-other-data", "digest-mismatch", "H is not the digest of the data", both,
         put(4, payload=b"sha3-256 " + digest + b"\n"))


def plain_order_cases() -> None:
    first, both = b"hello ", b"hello world!"

    def case(name, expect, comment, data, change):
        vector("plain/" + name, "p", expect, comment, change(plain("faults", both, piece=6)), data)

    def without(at):
        return lambda s: s[:at] + s[at + 1 :]

    def inserted(at, frame):
        return lambda s: [*s[:at], frame, *s[at:]]

    case("no-label", "frame-order", "D comes first", b"", without(1))
    case("first-data-frame-dropped", "frame-index", "D begins with index 1", b"", without(2))
    case("data-frames-swapped", "frame-index", "D 1 before D 0", b"",
         lambda s: [*s[:2], s[3], s[2], *s[4:]])
    second = Frame("L", label(item_id("faults")), 1)
    case("data-after-second-label", "frame-order", "D after the L behind a D", first,
         inserted(3, second))
    case("digest-after-second-label", "frame-order", "H after the L behind the last D", both,
         inserted(4, second))
    case("third-label", "frame-order", "L three times", both,
         lambda s: [*s[:5], second, Frame("L", second.payload, 2), s[5]])
    case("second-label-of-another-item", "bad-text", "another item than the first one's", both,
         inserted(5, Frame("L", label(item_id("other")), 1)))
    case("data-after-digest", "frame-order", "D after H", both, inserted(5, Frame("D", b"!", 2)))
    case("chunks-in-a-plain-item", "frame-order", "C is of another kind", both,
         inserted(4, Frame("C", bytes(80))))
    later, unknown = Frame("q", b"later", 77, 2), "unknown-frame"
    case("unknown-frame-before-data", unknown, "flag 0x02", b"", inserted(2, later))
    case("unknown-frame-before-digest", unknown, "flag 0x02", both, inserted(4, later))
    case("unknown-frame-before-end", unknown, "flag 0x02", both, inserted(5, later))
    case("unknown-frame-before-second-label", unknown, "flag 0x02", both,
         lambda s: [*s[:5], later, second, s[5]])
    case("unknown-frame-of-any-length", unknown, "1 MiB and one byte", both,
         inserted(5, Frame("q", b"", 0, 2, length=2**20 + 1)))
    case("same-digest-twice", "bad-text", "two H frames of SHA3-256", both,
         lambda s: [*s[:5], Frame("H", s[4].payload, 1), s[5]])
    case("cut-after-label", "incomplete", "no frame after L", b"", lambda s: s[:2])
    case("cut-before-end", "incomplete", "all but Z", both, lambda s: s[:5])
    case("cut-in-a-frame-header", "incomplete", "seven bytes of a header", first,
         lambda s: [*s[:3], bytes(s[3])[:7]])
    case("cut-in-a-frame", "incomplete", "all but the last byte of D", first,
         lambda s: [*s[:3], bytes(s[3])[:-1]])
    case("cut-in-the-end-frame", "incomplete", "all but the last byte of Z", both,
         lambda s: [joined(s)[:-1]])
    case("aborted", "aborted", "X in place of the second D", first, lambda s: [*s[:3], abort()])
    case("aborted-at-once", "aborted", "X is the only frame", b"", lambda s: [s[0], abort()])
    case("aborted-with-numbers", "aborted", "X with numbers", both,
         lambda s: [*s[:5], abort(error="size-mismatch", numbers=(12, 13))])
    case("abort-not-transient", "bad-flags", "X without its bit", first,
         lambda s: [*s[:3], Frame("X", abort().payload, flags=0)])
    case("abort-of-another-form", "bad-text", "X without its line exit", first,
         lambda s: [*s[:3], Frame("X", text(["vault-abort/1", "stage a", "error incomplete"]))])
    case("end-after-abort", "aborted", "Z after X", first,
         lambda s: [*s[:3], abort(), s[5]])
    case("bytes-other-than-the-label-said", "size-mismatch", "the label says 13", both,
         lambda s: [s[0], Frame("L", label(item_id("faults"), ["bytes 13"])), *s[2:]])
    wrong = "sha3-256 " + digest_hex("sha3-256", first)
    case("digest-other-than-the-label-said", "digest-mismatch", "H is right, the label is not",
         both, lambda s: [s[0], Frame("L", label(item_id("faults"), [wrong])), *s[2:]])


LABEL = [
    "target studies/1%20a%25.vault", 'row {"id":7}', "bytes 5", "source-etag abc",
    "source-bytes 9223372036854775807", "name r%C3%B6ntgen.dcm", "media-type application/dicom",
    "optimized true", "time 2026-01-02T03:04:05Z", "x-series 1 of%202", "x-series 2 of%202",
]


def text_cases() -> None:
    """One fault in the text of a label."""

    def case(name, comment, edit, expect="bad-text"):
        stream = plain("text", HELLO, more=LABEL)
        stream[1].payload = edit(stream[1].payload)
        vector("text/" + name, "p", expect, comment, stream, HELLO if expect == "ok" else b"")

    item = str(item_id("text")).encode()
    case("every-kind-of-line", "no fault", bytes, "ok")
    case("no-text", "a label of no bytes", lambda t: b"", "frame-length")
    case("no-last-line-feed", "the last line has no end", lambda t: t[:-1])
    case("carriage-returns", "lines end with CR LF", lambda t: t.replace(b"\n", b"\r\n"))
    case("blank-line", "a line without a field", changed(b"bytes 5\n", b"bytes 5\n\n"))
    case("two-spaces", "two spaces between fields", changed(b"bytes 5", b"bytes  5"))
    case("space-at-the-end", "a space before LF", changed(b"bytes 5\n", b"bytes 5 \n"))
    case("space-at-the-start", "a space before the name", changed(b"bytes 5", b" bytes 5"))
    case("tab", "a tab between fields", changed(b"bytes 5", b"bytes\t5"))
    case("lower-case-escape", "%c3 for %C3", changed(b"%C3%B6", b"%c3%B6"))
    case("needless-escape", "%72 for r", changed(b"name r%", b"name %72%"))
    case("byte-not-escaped", "two bytes of UTF-8 as they are", changed(b"%C3%B6", b"\xc3\xb6"))
    case("delete-not-escaped", "0x7F as it is", changed(b"name r%", b"name \x7f%"))
    case("escape-cut", "one digit after %", changed(b"dicom\n", b"dicom%4\n"))
    case("escaped-zero", "%00 is refused", changed(b"name r%", b"name %00%"))
    case("zero-byte", "the byte zero", changed(b"name r%", b"name \0%"))
    case("leading-zero", "05", changed(b"bytes 5", b"bytes 05"))
    case("sign", "+5", changed(b"bytes 5", b"bytes +5"))
    case("hex-number", "0x5", changed(b"bytes 5", b"bytes 0x5"))
    case("number-of-64-bits", "2^63", changed(b"5807\n", b"5808\n"))
    case("upper-case-uuid", "A to F", changed(item, item.upper()))
    case("uuid-without-hyphens", "32 digits", changed(item, item.replace(b"-", b"")))
    case("nil-uuid", "all zero", changed(item, b"00000000-0000-0000-0000-000000000000"))
    case("no-item", "the line item is missing", changed(b"item " + item + b"\n", b""))
    case("same-line-twice", "two lines bytes", changed(b"bytes 5\n", b"bytes 5\nbytes 5\n"))
    case("lines-in-another-order", "source-etag before bytes",
         changed(b"bytes 5\nsource-etag abc\n", b"source-etag abc\nbytes 5\n"))
    case("unknown-line", "a name that is not in the clause",
         changed(b"bytes 5\n", b"colour blue\nbytes 5\n"))
    case("one-field-too-many", "bytes 5 6", changed(b"bytes 5", b"bytes 5 6"))
    case("optimized-false", "only true is written", changed(b"ed true", b"ed false"))
    case("time-with-offset", "+00:00 for Z", changed(b"05Z", b"05+00:00"))
    case("time-with-fraction", "05.5Z", changed(b"05Z", b"05.5Z"))
    case("day-that-is-not", "the 30th of February", changed(b"2026-01-02", b"2026-02-30"))
    case("hour-24", "24:00:00", changed(b"T03:04:05", b"T24:00:00"))
    case("year-1969", "before 1970", changed(b"2026-", b"1969-"))
    case("another-first-line", "vault-label/2", changed(b"label/1", b"label/2"))
    last = b"x-series 2 of%202\n"
    rest = len(b"x-series 1 of%202\n" + last + b"x-fill \n")
    case("more-lines-of-16383-bytes", "the longest", lambda t: t + b"x-fill " + b"a" * (16383 - rest) + b"\n", "ok")
    case("more-lines-of-16384-bytes", "one byte more",
         lambda t: t + b"x-fill " + b"a" * (16384 - rest) + b"\n")
    target = LABEL[0].encode()
    case("target-of-16384-bytes", "the longest, twice as long as it is written",
         changed(target, b"target " + b"%20a" * 8192), "ok")
    case("target-not-utf-8", "a target is any bytes", changed(target, b"target %FF%C0%80"), "ok")
    case("source-not-utf-8", "a source is a string",
         changed(b"source-etag", b"source s3://b/%FF\nsource-etag"))
    case("source-of-utf-8", "four bytes",
         changed(b"source-etag", b"source s3://b/%F0%9F%92%89\nsource-etag"), "ok")
    case("source-etag-not-utf-8", "cut after two bytes of three",
         changed(b"source-etag abc", b"source-etag %E2%82"))
    case("media-type-not-utf-8", "overlong", changed(b"application/dicom", b"a%C0%AFb"))
    case("target-of-16385-bytes", "one byte more", changed(target, b"target " + b"a" * 16385))


def digest_text_cases() -> None:
    good = text([f"sha3-256 {digest_hex('sha3-256', HELLO)}"])

    def case(name, comment, payload):
        stream = plain("digest text", HELLO)
        stream[3].payload = payload
        vector("text/" + name, "p", "bad-text", comment, stream, HELLO)

    case("digest-in-upper-case", "A to F", good[:9] + good[9:].upper())
    case("digest-of-unknown-algorithm", "md5 is none of the two", b"md5 " + b"00" * 16 + b"\n")
    case("digest-too-short", "31 bytes", good[:-3] + b"\n")
    case("two-digests-in-a-frame", "H is one line",
         good + f"sha256 {digest_hex('sha256', HELLO)}\n".encode())


def all_cases() -> None:
    stream_cases()
    plain_good_cases()
    plain_frame_cases()
    plain_order_cases()
    text_cases()
    digest_text_cases()
