"""The worked example of docs/FORMAT.md, clause 12."""

import uuid

from crypto import cobblestone_keys, expand, hkdf
from vector import KEK
from writer import Sealed, joined, secret_id, secret_slot

BEGIN = "<!-- made by Tests/vectors/make_vectors.py --write: begin -->\n"
END = "<!-- made by Tests/vectors/make_vectors.py --write: end -->\n"


def counting(first: int, count: int) -> bytes:
    return bytes(range(first, first + count))


def item() -> Sealed:
    slot = secret_slot("key", KEK, salt=counting(0x60, 32))
    return Sealed(
        "example", b"hello", [slot], item=uuid.UUID("00112233-4455-4677-8899-aabbccddeeff"),
        data_key=counting(0x20, 32), body_salt=counting(0x40, 24),
        manifest_salt=counting(0xA0, 24),
    )


def rows(raw: bytes, at: int, as_text=False) -> list[str]:
    """Offset, 16 bytes, and where it is text the characters, `.` for LF."""
    out = []
    for start in range(0, len(raw), 16):
        piece = raw[start : start + 16]
        line = f"    {at + start:04x}  {piece.hex(' ')}"
        shown = piece.decode("latin-1").replace("\n", ".") if as_text else ""
        out.append(f"{line:59}{shown}".rstrip())
    return out


class Listing:
    """Bytes in order, each piece with a line that says what it is."""

    def __init__(self):
        self.lines, self.at = [], 0

    def add(self, what: str, raw: bytes, as_text=False) -> None:
        self.lines += ["", f"    # {what}", *rows(raw, self.at, as_text)]
        self.at += len(raw)


def secrets(sealed: Sealed) -> list[str]:
    ident = sealed.item.bytes
    wrap = hkdf(KEK, counting(0x60, 32), b"vault/1 slot key\0" + ident, 44)
    body = cobblestone_keys(sealed.data_key, b"vault/1 body" + ident, counting(0x40, 24))
    manifest = cobblestone_keys(sealed.data_key, b"vault/1 manifest" + ident, counting(0xA0, 24))
    mac = expand("sha512", sealed.data_key, b"vault/1 envelope mac\0", 32)
    named = [
        ("item id", ident), ("KEK", KEK), ("data key", sealed.data_key),
        ("slot id", bytes.fromhex(secret_id("key", KEK))), ("slot salt", counting(0x60, 32)),
        ("slot key", wrap[:32]), ("slot nonce", wrap[32:]), ("MAC key", mac),
        ("body salt", counting(0x40, 24)), ("body key", body[0]), ("body nonce", body[1]),
        ("body commitment", body[2]), ("manifest salt", counting(0xA0, 24)),
        ("manifest key", manifest[0]), ("manifest nonce", manifest[1]),
        ("manifest commitment", manifest[2]),
    ]
    return [f"    {name:21}{raw.hex()}" for name, raw in named]


def bytes_shown(sealed: Sealed) -> list[str]:
    start, envelope, chunks, manifest, last = sealed.stream()
    listing = Listing()
    add = listing.add
    add("prologue: \"VAULT\", version 1, kind s, LF", start)
    header(add, envelope, "0")
    add("the envelope", envelope.payload, True)
    header(add, chunks, "chunk 0")
    add("head: salt", chunks.payload[:24])
    add("head: commitment", chunks.payload[24:56])
    add("chunk 0: ciphertext of \"hello\"", chunks.payload[56:61])
    add("chunk 0: tag", chunks.payload[61:])
    header(add, manifest, "0")
    add("head: salt", manifest.payload[:24])
    add("head: commitment", manifest.payload[24:56])
    add("chunk 0: ciphertext of the manifest", manifest.payload[56:-16])
    add("chunk 0: tag", manifest.payload[-16:])
    header(add, last, "0")
    add("data bytes 5", last.payload[:8])
    add("C frames 1", last.payload[8:16])
    add(f"offset of M {int.from_bytes(last.payload[16:])}", last.payload[16:])
    assert listing.at == len(joined(sealed.stream()))
    return listing.lines[1:]


def header(add, frame, index: str) -> None:
    add(f"frame {frame.type}: flags 0, zero, length {len(frame.payload)}, index {index}",
        bytes(frame)[:16])


def shown() -> str:
    sealed = item()
    texts = [("The text of E:", sealed.envelope()),
             ("The text in M:", sealed.manifest_text())]
    out = [
        "The item holds the 5 bytes `hello` and has one slot `key`. What a writer draws at random",
        "is a row of counting bytes here. Values in hex:", "", *secrets(sealed),
    ]
    for title, raw in texts:
        out += ["", title, "", *("    " + line for line in raw.decode().splitlines())]
    length = len(joined(sealed.stream()))
    out += ["", f"The object, {length} bytes, each line an offset and up to 16 bytes:", ""]
    return "\n".join([*out, *bytes_shown(sealed)])


def placed(document: str) -> str:
    """The document with the example between its two marker lines."""
    before, rest = document.split(BEGIN)
    return before + BEGIN + "\n" + shown() + "\n\n" + END + rest.split(END)[1]
