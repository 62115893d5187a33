"""Vectors of clause 2: batches of plain and sealed items."""

from vector import KEK, MASTER, WITH_KEK, WITH_MASTER, vector
from writer import (
    Frame, Sealed, abort, batch, escaped, item_id, joined, label, plain, prologue, secret_slot,
)

KEK_SLOT = secret_slot("key", KEK)


def batch_cases() -> None:
    def items():
        return [plain("batch 1", b"first"), plain("batch 2", b""), plain("batch 3", b"third")]

    def case(name, expect, comment, stream, data=b"firstthird", kind="p", **more):
        vector("batch/" + name, kind, expect, comment, stream, data, **more)

    whole = batch(items())
    case("no-items", "ok", "b and e alone", batch([]), b"")
    case("plain-items", "ok", "three items", whole)
    case("cut-after-first-item", "incomplete", "one whole item after b", batch(items())[:6],
         b"first")
    case("cut-before-end", "incomplete", "all but e and its frame", whole[:-2])
    case("cut-after-end-prologue", "incomplete", "e without a frame", whole[:-1])
    case("cut-in-the-end-frame", "incomplete", "all but the last byte", [joined(whole)[:-1]])
    case("trailing-byte", "trailing-bytes", "a byte after the frame of e", [*whole, b"\n"])
    case("item-after-end", "trailing-bytes", "an item after e", [*whole, *plain("b4", b"more")])
    case("begin-in-a-batch", "wrong-kind", "b after b", [prologue("b"), *whole], b"")
    mixed = [plain("batch 1", b"first"), Sealed("m", b"", [KEK_SLOT]).labelled()]
    case("two-kinds-of-items", "wrong-kind", "a sealed item after a plain one", batch(mixed),
         b"first")
    case("not-the-kind-that-is-wanted", "wrong-kind", "plain items for a reader of sealed ones",
         whole, b"", kind="s")
    case("bytes-between-items", "not-a-stream", "zeros where a prologue must be",
         [*whole[:6], bytes(8), *whole[6:]], b"first")
    case("newer-version-inside", "unsupported-version", "the second item has version 2",
         [*whole[:6], b"VAULT\2p\n", *whole[7:]], b"first")
    case("end-counts-one-item-more", "end-mismatch", "four begun", batch(items(), (4, 3, 0)))
    case("end-counts-one-ended-more", "end-mismatch", "three begun, two ended",
         batch(items(), (3, 2, 0)))
    case("end-counts-an-abort", "end-mismatch", "an abort that was not", batch(items(), (3, 3, 1)))
    aborted = items()
    aborted[1] = [*aborted[1][:2], abort("vault-hash", 66, "incomplete")]
    case("second-item-aborted", "aborted", "the batch is complete, its second item is not",
         batch(aborted))
    case("aborted", "aborted", "X in e", [*whole[:-1], abort()])
    case("label-in-end", "frame-order", "e has Z or X alone",
         [*whole[:-1], Frame("L", label(item_id("e"))), whole[-1]])


def sealed_batch_cases() -> None:
    def items():
        return [Sealed(f"sealed batch {k}", d, [KEK_SLOT]) for k, d in ((1, b"one"), (2, b""))]

    def case(name, expect, comment, streams, data=b"one", kind="s", **more):
        vector("batch/" + name, kind, expect, comment, batch(streams), data, **(more or WITH_KEK))

    a, b = items()
    case("sealed-items-with-labels", "ok", "each between two labels",
         [a.labelled(["target a"], ["row 7"]), b.labelled()])
    case("sealed-items-without-labels", "ok", "both labels may be absent", [a.stream(), b.stream()])
    only_last = [*a.stream()[:-1], Frame("L", label(a.item)), a.stream()[-1]]
    case("sealed-item-with-last-label-only", "ok", "it has index 0", [only_last])
    last_first = [*a.labelled()[:-1], Frame("L", label(a.item), 2), a.stream()[-1]]
    case("third-label", "frame-order", "two at most", [last_first])
    whole, later = a.labelled(), Frame("q", b"later", 9, 2)
    for name, at in (("unknown-frame-before-last-label", -2), ("unknown-frame-after-last-label", -1)):
        case(name, "unknown-frame", "flag 0x02", [[*whole[:at], later, *whole[at:]], b.labelled()])
    wrong = a.labelled()
    wrong[-2].index = 0
    case("last-label-with-index-of-first", "frame-index", "ordinal 1 of two", [wrong])
    hidden = Sealed("hidden", b"one")
    slots = Sealed("hidden", b"one", [KEK_SLOT]).envelope()
    shown = [f"envelope {escaped(slots)}"]
    case("detached-envelope-in-the-label", "ok", "the object has none", [hidden.labelled(shown)])
    spoiled = [a.stream()[0], abort("vault-seal", 65, "digest-mismatch")]
    case("sealed-item-aborted", "aborted", "the first of two", [spoiled, a.labelled()])
    derived = Sealed("derived batch", b"two", derived_from=MASTER)
    case("two-keys", "ok", "an item for a key, one for a space",
         [a.labelled(), derived.labelled()], b"onetwo", **WITH_KEK, **WITH_MASTER)


def all_cases() -> None:
    batch_cases()
    sealed_batch_cases()
