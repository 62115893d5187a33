"""Vectors of clauses 5.3, 5.4 and 10: parts streams and slices."""

import hashlib
import struct

from vector import ALICE_PUBLIC, KEK, WITH_ALICE, WITH_KEK, changed, flipped, vector
from writer import (
    CHUNK, SEALED_CHUNK, Frame, Sealed, abort, batch, digest_hex, end, escaped, fixed,
    joined, label, part_frame, parts, secret_slot, x25519_slot,
)

HELLO = b"hello"
KEK_SLOT = secret_slot("key", KEK)


def parts_good_cases() -> None:
    def case(name, comment, item, *more, **options):
        data = joined(item.stream())
        vector("parts/" + name, "c", "ok", comment, parts(item, *more, **options), data)

    case("one-part", "one D, one P", Sealed("one part", HELLO, [KEK_SLOT]), 10000, 10000)
    case("two-parts", "several D each", Sealed("two parts", HELLO, [KEK_SLOT]))
    item = Sealed("with label", HELLO, [KEK_SLOT])
    case("with-label", "L before D", item, first_label=label(item.item, ["target a", "row 7"]))
    told = ["name hello.txt", "media-type text/plain",
            f"digest sha3-256 {digest_hex('sha3-256', HELLO)}"]
    case("disclosed", "S tells name, media type, digest", item, more=told)
    case("detached", "the slots stand in S alone", *detached())
    a, b = (Sealed(f"batch of parts {k}", HELLO, [KEK_SLOT]) for k in (1, 2))
    both = joined(a.stream()) + joined(b.stream())
    vector("batch/parts-items", "c", "ok", "two items", batch([parts(a), parts(b)]), both)
    cut = batch([parts(a), [*parts(b)[:3], abort("vault-chunk", 66, "incomplete")]])
    some = joined(a.stream()) + joined(b.stream())[:300]
    vector("batch/parts-item-aborted", "c", "aborted", "the second item", cut, some)


def detached() -> tuple:
    """An object without slots, and a summary that has them."""
    item = Sealed("detached parts", HELLO)
    shown = Sealed("detached parts", HELLO, [KEK_SLOT])
    item.summary = shown.summary
    return (item,)


def parts_cases() -> None:
    """A stream here is: 0 prologue, 1 to 3 D, 4 P, 5… D, -3 P, -2 S, -1 Z."""
    item = Sealed("parts", HELLO, [KEK_SLOT])
    whole = joined(item.stream())
    first, size = whole[:400], struct.pack(">Q", 400)

    def case(name, expect, comment, data, change):
        stream = parts(item)
        stream = change(stream) or stream
        vector("parts/" + name, "c", expect, comment, stream, data)

    def put(at, **fields):
        return lambda s: [setattr(s[at], key, value) for key, value in fields.items()] and None

    def part(at, old, new):
        return lambda s: put(at, payload=changed(old, new)(s[at].payload))(s)

    hashed = hashlib.sha256(first).digest()
    case("part-digest-flipped", "part-mismatch", "a bit of the first P's", first,
         part(4, hashed, flipped(hashed, 0)))
    case("part-digest-of-the-part-alone", "part-mismatch", "P 2 says what part 2 is by itself", whole,
         put(-3, payload=part_frame(2, whole[400:]).payload))
    case("part-digest-of-the-part-before", "part-mismatch", "P 2 says what P 1 has said", whole,
         lambda s: put(-3, payload=s[-3].payload[:16] + s[4].payload[16:])(s))
    case("part-counts-one-byte-more", "part-mismatch", "401 for 400", first,
         part(4, size, struct.pack(">Q", 401)))
    case("part-number-zero", "part-mismatch", "numbers begin with 1", first,
         put(4, payload=struct.pack(">I", 0) + part_frame(1, first).payload[4:]))
    case("part-number-skips-one", "part-mismatch", "1, 3", whole,
         put(-3, payload=struct.pack(">I", 3) + part_frame(2, whole[400:], first).payload[4:]))
    case("part-reserved-bytes", "bad-reserved", "the four zero bytes are not", first,
         put(4, payload=struct.pack(">II", 1, 1) + part_frame(1, first).payload[8:]))
    case("part-index-from-one", "frame-index", "P of index 1 first", first, put(4, index=1))
    case("short-part-frame", "frame-length", "47 bytes", first, put(4, payload=bytes(47)))
    case("long-part-frame", "frame-too-long", "49 bytes", first, put(4, payload=bytes(49)))
    case("part-without-data", "frame-order", "P after P", first,
         lambda s: [*s[:5], part_frame(2, b"", first), *s[5:]])
    case("data-without-part", "frame-order", "S after D", whole, lambda s: [*s[:-3], *s[-2:]])
    case("no-parts", "frame-order", "S comes first", b"", lambda s: [s[0], *s[-2:]])
    case("no-summary", "frame-order", "Z after P", whole, lambda s: [*s[:-2], s[-1]])
    case("data-after-summary", "frame-order", "D after S", whole,
         lambda s: [*s[:-1], Frame("D", b"!", 99), s[-1]])
    later, unknown = Frame("q", b"later", 0, 2), "unknown-frame"
    case("unknown-frame-between-parts", unknown, "flag 0x02", first,
         lambda s: [*s[:5], later, *s[5:]])
    case("unknown-frame-before-summary", unknown, "flag 0x02", whole,
         lambda s: [*s[:-2], later, *s[-2:]])
    case("unknown-frame-before-end", unknown, "flag 0x02", whole,
         lambda s: [*s[:-1], later, s[-1]])
    case("cut-after-a-part", "incomplete", "the first of two", first, lambda s: s[:5])
    case("cut-after-last-part", "incomplete", "no S", whole, lambda s: s[:-2])
    case("cut-before-end", "incomplete", "no Z", whole, lambda s: s[:-1])
    case("aborted", "aborted", "X after the first part", first,
         lambda s: [*s[:5], abort("vault-chunk", 66, "incomplete")])
    case("end-frame-counts-wrong-bytes", "end-mismatch", "one more", whole,
         put(-1, payload=end(len(whole) + 1, len(parts(item)) - 5).payload))
    case("end-frame-third-number", "end-mismatch", "it is 0 in a parts item", whole,
         put(-1, payload=parts(item)[-1].payload[:-1] + b"\1"))
    case("summary-not-transient", "bad-flags", "S without its bit", whole, put(-2, flags=0))
    case("summary-over-the-limit", "frame-too-long", "a header that says 64 KiB and 1", whole,
         put(-2, length=65537))
    summary_cases(case, part, whole)


def summary_cases(case, part, whole) -> None:
    def said(name, expect, comment, old, new):
        case("summary-" + name, expect, comment, whole, part(-2, old, new))

    count, digest = len(whole), hashlib.sha256(whole).hexdigest().encode()
    said("counts-one-byte-more", "size-mismatch", "object-bytes",
         f"object-bytes {count}".encode(), f"object-bytes {count + 1}".encode())
    said("digest-of-another-object", "digest-mismatch", "sha256", digest,
         flipped(digest, 63))
    said("without-chunks", "bad-text", "the line is missing", b"chunks 1\n", b"")
    said("leading-zero", "bad-text", "data-bytes 05", b"data-bytes 5", b"data-bytes 05")
    said("envelope-not-escaped", "bad-text", "a space in a field", b"envelope/1%0A",
         b"envelope/1 ")


def slice_good_cases() -> None:
    big = Sealed("slices", fixed("slices", 66 * CHUNK + 100), [KEK_SLOT])

    def case(name, comment, item, first, count, keys=WITH_KEK, **more):
        data = item.data[first : first + count]
        vector("slice/" + name, "r", "ok", comment, item.slice(first, count), data, **keys,
               range=f"{first} {count}", **more)

    small = Sealed("small slice", HELLO, [KEK_SLOT])
    case("in-the-last-chunk", "no C, all of it is in T", small, 1, 3)
    case("whole-of-one-chunk", "all bytes there are", small, 0, 5)
    case("no-bytes", "a range of none has no C", small, 2, 0)
    case("of-an-empty-item", "nothing of nothing", Sealed("empty slice", b"", [KEK_SLOT]), 0, 0)
    case("of-an-x25519-item", "another kind of slot",
         Sealed("x slice", HELLO, [x25519_slot(ALICE_PUBLIC)]), 0, 4, WITH_ALICE)
    case("over-a-frame-border", "two C frames of one chunk", big, 64 * CHUNK - 3, 6)
    full = Sealed("full slice", fixed("full", CHUNK), [KEK_SLOT])
    case("last-chunk-holds-none", "one full chunk, T is empty", full, CHUNK - 5, 5)
    hidden = Sealed("hidden slice", HELLO)
    slots = Sealed("hidden slice", HELLO, [KEK_SLOT]).envelope()
    case("detached", "the slots are elsewhere", hidden, 0, 5, envelope_override=escaped(slots))
    labelled = small.slice(1, 3)
    labelled.insert(1, Frame("L", label(small.item)))
    vector("batch/slice-items", "r", "ok", "one with a label, one without",
           batch([labelled, full.slice(3, 0)]), b"ell", **WITH_KEK, range=["1 3", "3 0"])


def slice_cases() -> None:
    """A slice here is: 0 prologue, 1 E, 2 T, 3 M, 4 Z."""
    item = Sealed("slice", HELLO, [KEK_SLOT])

    def case(name, expect, comment, released, change):
        stream = item.slice(1, 3)
        stream = change(stream) or stream
        vector("slice/" + name, "r", expect, comment, stream, released, **WITH_KEK, range="1 3")

    def put(at, **fields):
        return lambda s: [setattr(s[at], key, value) for key, value in fields.items()] and None

    case("tail-under-another-number", "body-damaged", "T of index 1", b"", put(2, index=1))
    case("flipped-bit-in-tail", "body-damaged", "of its chunk", b"",
         lambda s: put(2, payload=flipped(s[2].payload, 60))(s))
    case("flipped-bit-in-head", "body-mismatch", "the envelope says another", b"",
         lambda s: put(2, payload=flipped(s[2].payload, 6))(s))
    case("short-tail", "frame-length", "71 bytes", b"", put(2, payload=bytes(71)))
    case("tail-over-the-limit", "frame-too-long", "a header that says 16,456", b"",
         put(2, length=16456))
    case("flipped-bit-in-manifest", "manifest-damaged", "told before data is released", b"",
         lambda s: put(3, payload=flipped(s[3].payload, 70))(s))
    case("tail-after-manifest", "frame-order", "E, M, T", b"",
         lambda s: [s[0], s[1], s[3], s[2], *s[4:]])
    case("no-tail", "frame-order", "M after E", b"", lambda s: [s[0], s[1], *s[3:]])
    case("no-manifest", "frame-order", "Z after T", b"", lambda s: [*s[:3], s[4]])
    case("cut-after-tail", "incomplete", "no M", b"", lambda s: s[:3])
    case("cut-before-end", "incomplete", "all but Z", b"ell", lambda s: s[:4])
    case("trailing-byte", "trailing-bytes", "one byte after Z", b"ell", lambda s: [*s, b"\n"])
    case("end-frame-counts-the-slice", "end-mismatch", "its numbers are not the object's", b"ell",
         put(4, payload=end(3, 0, 0).payload))
    case("aborted", "aborted", "X before Z", b"ell",
         lambda s: [*s[:4], abort("vault-get", 66, "incomplete")])
    later = Frame("q", b"later", 0, 2)
    case("unknown-frame-after-manifest", "unknown-frame", "flag 0x02", b"ell",
         lambda s: [*s[:4], later, s[4]])
    case("unknown-frame-before-manifest", "unknown-frame", "flag 0x02", b"",
         lambda s: [*s[:3], later, *s[3:]])
    case("chunks-not-asked-for", "frame-order", "C where the range needs none", b"ell",
         lambda s: [*s[:4], Frame("C", b"", 0, length=SEALED_CHUNK)])


def slice_chunk_cases() -> None:
    """Faults of C. A file ends with the frame header at which a reader must stop."""
    item = Sealed("slice chunks", fixed("slice", 3 * CHUNK), [KEK_SLOT])

    def case(name, expect, comment, first, count, frames, data=b""):
        start = item.slice(first, count)[:4]
        vector("slice/" + name, "r", expect, comment, [*start, *frames], data, **WITH_KEK,
               range=f"{first} {count}")

    def header(index, length):
        return Frame("C", b"", index, length=length)

    two = CHUNK - 2, 4
    ends = item.end()
    case("no-chunks", "frame-order", "Z where the range needs two", *two, [ends])
    case("chunk-missing-at-the-end", "frame-length", "chunk 0 alone", *two,
         [header(0, SEALED_CHUNK)])
    case("chunks-after-those-asked-for", "frame-index", "chunks 1 and 2 for 0 and 1", *two,
         [header(1, 2 * SEALED_CHUNK)])
    case("chunk-more-than-asked-for", "frame-length", "chunks 0, 1 and 2", *two,
         [header(0, 3 * SEALED_CHUNK)])
    case("chunk-before-the-one-asked-for", "frame-index", "chunk 0 for 1", CHUNK, 5,
         [header(0, SEALED_CHUNK)])
    case("part-of-a-chunk", "frame-length", "all but its last byte", *two,
         [header(0, 2 * SEALED_CHUNK - 1)])
    case("head-in-the-chunks", "frame-length", "C as in the object", *two,
         [header(0, 56 + 2 * SEALED_CHUNK)])
    case("chunks-for-a-range-of-none", "frame-order", "C where none is needed", 5, 0,
         [header(0, SEALED_CHUNK)])
    pair = item.slice(*two)[4]
    bad = Frame("C", flipped(pair.payload, SEALED_CHUNK + 1), 0)
    case("flipped-bit-in-second-chunk", "body-damaged", "of the range", *two, [bad, ends],
         item.data[CHUNK - 2 : CHUNK])


def slice_size_case() -> None:
    item = Sealed("slice size", HELLO, [KEK_SLOT], edit_manifest=changed(b"size 5", b"size 6"))
    vector("slice/manifest-size-one-more", "r", "size-mismatch", "T proves another length",
           item.slice(0, 5), b"", **WITH_KEK, range="0 5")


def all_cases() -> None:
    parts_good_cases()
    parts_cases()
    slice_good_cases()
    slice_cases()
    slice_chunk_cases()
    slice_size_case()
