"""Reads the texts of the vault format: clause 1.1 and the line tables of clauses 5, 8 and 9."""

import base64
import datetime
import re
import uuid


class Refused(Exception):
    """An error of clause 11; its text is the name."""


FIELD = re.compile(rb"(?:[\x21-\x24\x26-\x7e]|%[0-9A-F]{2})+")


def unescape(field: bytes) -> bytes | None:
    """The bytes that a field stands for, or None when it is not written in the one right way."""
    if not FIELD.fullmatch(field):
        return None
    wrong = False

    def value(match) -> bytes:
        nonlocal wrong
        code = int(match[1], 16)
        wrong |= code == 0 or (0x21 <= code <= 0x7E and code != 0x25)
        return bytes([code])

    out = re.sub(rb"%(..)", value, field)
    return None if wrong else out


def is_number(field: bytes) -> bool:
    return bool(re.fullmatch(rb"0|[1-9][0-9]{0,18}", field)) and int(field) < 2**63


def is_uuid(field: bytes) -> bool:
    form = rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    return bool(re.fullmatch(form, field)) and uuid.UUID(field.decode()).int != 0


def is_time(field: bytes) -> bool:
    if not re.fullmatch(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", field):
        return False
    try:
        return datetime.datetime.strptime(field.decode(), "%Y-%m-%dT%H:%M:%SZ").year >= 1970
    except ValueError:
        return False


def is_hex(count: int):
    return lambda field: bool(re.fullmatch(rb"[0-9a-f]{%d}" % (2 * count), field))


def from_b64(field: bytes) -> bytes:
    return base64.b64decode(field + b"=" * (-len(field) % 4), validate=True)


def is_b64(count: int):
    def right(field: bytes) -> bool:
        if not re.fullmatch(rb"[A-Za-z0-9+/]{%d}" % -(-count * 4 // 3), field):
            return False
        return base64.b64encode(from_b64(field)).rstrip(b"=") == field

    return right


def is_text(field: bytes) -> bool:
    return len(unescape(field)) <= 16384


def is_row(field: bytes) -> bool:
    return len(unescape(field)) <= 262144


def is_string(field: bytes) -> bool:
    try:
        return is_text(field) and unescape(field).decode("utf-8") is not None
    except UnicodeDecodeError:
        return False


def is_name(field: bytes) -> bool:
    return bool(re.fullmatch(rb"[a-z0-9-]{1,40}", field))


def is_exit(field: bytes) -> bool:
    return is_number(field) and int(field) < 256


def is_word(*words: bytes):
    return lambda field: field in words


ALGORITHM = is_word(b"sha3-256", b"sha256")
DIGEST = (b"digest", "*", ALGORITHM, is_hex(32))
TRUE = is_word(b"true")
BODY = (b"body", "1", is_b64(24), is_b64(32))
ITEM = (b"item", "1", is_uuid)
MORE = (b"x-", "*")

SPECS = {
    b"vault-label/1": [
        ITEM, (b"target", "?", is_text), (b"row", "?", is_row), (b"bytes", "?", is_number),
        (b"sha3-256", "?", is_hex(32)), (b"source", "?", is_string),
        (b"source-etag", "?", is_string), (b"source-version", "?", is_string),
        (b"source-bytes", "?", is_number), (b"name", "?", is_text),
        (b"media-type", "?", is_string), (b"optimized", "?", TRUE),
        (b"time", "?", is_time), DIGEST, (b"envelope", "?", is_text), MORE,
    ],
    b"vault-summary/1": [
        ITEM, (b"object-bytes", "1", is_number), (b"data-bytes", "1", is_number),
        (b"chunks", "1", is_number), (b"sha256", "1", is_hex(32)), BODY,
        (b"envelope", "1", is_text), (b"name", "?", is_text), (b"media-type", "?", is_string),
        (b"optimized", "?", TRUE), DIGEST,
    ],
    b"vault-abort/1": [
        (b"stage", "1", is_name), (b"exit", "1", is_exit), (b"error", "1", is_name),
        (b"numbers", "?"),
    ],
    b"vault-manifest/1": [
        (b"body", "1", is_b64(32)), (b"size", "1", is_number), (b"digest", "+", *DIGEST[2:]),
        (b"name", "?", is_text), (b"media-type", "?", is_string), (b"optimized", "?", TRUE),
        (b"time", "?", is_time), (b"source-etag", "?", is_string),
        (b"source-version", "?", is_string), (b"source-bytes", "?", is_number), MORE,
    ],
}


def lines_of(raw: bytes, error: str) -> list[list[bytes]]:
    """The lines of a text, each as its fields, unescaped fields checked but not replaced."""
    if raw and not raw.endswith(b"\n"):
        raise Refused(error)
    lines = [line.split(b" ") for line in raw.split(b"\n")[:-1]]
    if any(unescape(field) is None for line in lines for field in line):
        raise Refused(error)
    return lines


def fits(line: list[bytes], spec: tuple) -> bool:
    name, _, *fields = spec
    if name == b"x-":
        return line[0].startswith(b"x-") and len(line[0]) > 2 and len(line) > 1
    if name == b"numbers":
        return line[0] == name and len(line) > 1 and all(map(is_number, line[1:]))
    right = line[0] == name and len(line) == 1 + len(fields)
    return right and all(check(field) for check, field in zip(fields, line[1:]))


def read_text(raw: bytes, first: bytes, error: str) -> list[list[bytes]]:
    """The lines after the first one, when they stand as the clause says."""
    lines = lines_of(raw, error)
    if not lines or lines[0] != [first]:
        raise Refused(error)
    rest = lines[1:]
    for spec in SPECS[first]:
        count = 0
        while rest[count : count + 1] and fits(rest[count], spec):
            count += 1
        most = 1 if spec[1] in "1?" else count
        if count > most or (count == 0 and spec[1] in "1+"):
            raise Refused(error)
        rest = rest[count:]
    if rest:
        raise Refused(error)
    if sum(len(b" ".join(line)) + 1 for line in lines if line[0].startswith(b"x-")) > 16383:
        raise Refused(error)
    digests = [line[1] for line in lines if line[0] == b"digest"]
    if len(digests) != len(set(digests)):
        raise Refused(error)
    return lines[1:]


def value(lines: list[list[bytes]], name: bytes) -> bytes | None:
    """The first field of the line of this name, unescaped."""
    return next((unescape(line[1]) for line in lines if line[0] == name), None)


SLOTS = {
    b"x25519": [is_hex(8), is_b64(32), is_b64(48)],
    b"key": [is_hex(8), is_b64(32), is_b64(48)],
    b"space": [is_hex(8), is_b64(32), is_b64(48)],
    b"derived": [is_hex(8), is_b64(32)],
}


def slot_fits(line: list[bytes]) -> bool:
    if len(line) < 2 or line[0] != b"slot":
        return False
    fields = SLOTS.get(line[1])
    if fields is None:
        return True
    return len(line) == 2 + len(fields) and all(c(f) for c, f in zip(fields, line[2:]))


def read_envelope(raw: bytes) -> list[list[bytes]]:
    """The lines of an envelope: first, item, body, slots or detached, check, mac."""
    error = "envelope-malformed"
    if len(raw) > 16384:
        raise Refused(error)
    lines = lines_of(raw, error)
    if len(lines) < 6 or lines[0] != [b"vault-envelope/1"]:
        raise Refused(error)
    ends = (b"check", "1", is_b64(16)), (b"mac", "1", is_b64(32))
    around = (lines[1], ITEM), (lines[2], BODY), (lines[-2], ends[0]), (lines[-1], ends[1])
    slots = lines[3:-2]
    if not all(fits(line, spec) for line, spec in around):
        raise Refused(error)
    if slots != [[b"detached"]] and not (len(slots) <= 64 and all(map(slot_fits, slots))):
        raise Refused(error)
    if sum(line[1:2] == [b"derived"] for line in slots) > 1:
        raise Refused(error)
    return lines
