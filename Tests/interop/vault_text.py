"""The texts of docs/FORMAT.md, clause 1.1: parsed by a table of lines, refused unless canonical."""

import base64
import datetime
import re

NUMBER = re.compile(r"0|[1-9][0-9]*")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
NAME = re.compile(r"[a-z0-9-]{1,40}")
MOST = 16384
MOST_MORE = 16383


class BadText(Exception):
    pass


def need(condition, why):
    if not condition:
        raise BadText(why)


def escape(raw):
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x25 else f"%{b:02X}" for b in raw)


def unescape(field):
    raw = re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), field.encode("ascii"))
    need(raw and b"\0" not in raw and escape(raw) == field, "escape")
    return raw


def text(field):
    raw = unescape(field)
    need(len(raw) <= MOST, "too long")
    return raw


def string(field):
    try:
        return text(field).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadText("not UTF-8") from error


def name(field):
    need(NAME.fullmatch(field), "name")
    return field


def number(field, below=1 << 63):
    need(len(field) < 20 and NUMBER.fullmatch(field) and int(field) < below, "number")
    return int(field)


def hexadecimal(length):
    def read(field):
        need(re.fullmatch(r"[0-9a-f]{%d}" % (2 * length), field), "hex")
        return bytes.fromhex(field)
    return read


def b64(length):
    def read(field):
        need(re.fullmatch(r"[A-Za-z0-9+/]*", field) and len(field) % 4 != 1, "base64")
        raw = base64.b64decode(field + "=" * (-len(field) % 4))
        need(base64.b64encode(raw).decode().rstrip("=") == field, "base64")
        need(len(raw) == length, "base64 of another length")
        return raw
    return read


def uuid(field):
    need(UUID.fullmatch(field) and field.strip("0-"), "uuid")
    return field


def time(field):
    found = TIME.fullmatch(field)
    need(found, "time")
    try:
        moment = datetime.datetime(*map(int, found.groups()))
    except ValueError as error:
        raise BadText("no such day or hour") from error
    need(moment.year >= 1970, "before 1970")
    return field


def true(field):
    need(field == "true", "true")
    return True


def algorithm(field):
    need(field in ("sha3-256", "sha256"), "algorithm")
    return field


def lines(payload):
    """The fields of each line; each of them canonically escaped."""
    need(payload == b"" or payload.endswith(b"\n"), "no LF at the end")
    need(all(b == 10 or 0x20 <= b <= 0x7E for b in payload), "not ASCII")
    rows = [line.split(" ") for line in payload.decode("ascii").split("\n")[:-1]]
    for row in rows:
        for field in row:
            unescape(field)
    return rows


def body_line(fields):
    need(len(fields) == 2, "body")
    return b64(24)(fields[0]) + b64(32)(fields[1])


def one(read):
    def line(fields):
        need(len(fields) == 1, "fields")
        return read(fields[0])
    return line


SLOTS = {"x25519": (b64(32), b64(48)), "key": (b64(32), b64(48)), "space": (b64(32), b64(48)),
         "derived": (b64(32),)}


def slot_line(fields):
    """(kind, id, the rest); of an unknown kind the rest is not looked at."""
    need(fields, "slot without a kind")
    kind, rest = fields[0], fields[1:]
    shape = SLOTS.get(kind)
    if shape is None:
        return kind, None, rest
    need(len(rest) == 1 + len(shape), "slot")
    return kind, hexadecimal(8)(rest[0]), [read(f) for read, f in zip(shape, rest[1:])]


def envelope(payload):
    """item, body, slots (none: detached), check, mac, and the lengths that check and mac cover."""
    need(len(payload) <= 16384, "too long")
    rows = lines(payload)
    need(len(rows) >= 6 and rows[0] == ["vault-envelope/1"], "first line")
    names = [row[0] for row in rows]
    middle = names[3:-2]
    need(names[1:3] == ["item", "body"] and names[-2:] == ["check", "mac"], "order")
    need(middle == ["detached"] or set(middle) == {"slot"}, "slots")
    need(len(middle) <= 64 and (middle != ["detached"] or len(rows[3]) == 1), "slots")
    slots = [slot_line(row[1:]) for row in rows[3:-2] if row[0] == "slot"]
    need(sum(kind == "derived" for kind, _, _ in slots) <= 1, "two derived")
    found = {"item": one(uuid)(rows[1][1:]), "body": body_line(rows[2][1:]), "slots": slots,
             "check": one(b64(16))(rows[-2][1:]), "mac": one(b64(32))(rows[-1][1:])}
    mac_at = payload.rindex(b"mac ")
    check_at = payload.rindex(b"check ", 0, mac_at)
    return {**found, "before_check": payload[:check_at], "before_mac": payload[:mac_at]}


OPTIONAL = [("name", one(text)), ("media-type", one(string)), ("optimized", one(true)),
            ("time", one(time)), ("source-etag", one(string)), ("source-version", one(string)),
            ("source-bytes", one(number))]


def digest_line(fields):
    need(len(fields) == 2, "digest")
    return algorithm(fields[0]), hexadecimal(32)(fields[1])


def manifest(payload):
    need(len(payload) <= 16383, "too long")
    rows = lines(payload)
    need(rows and rows[0] == ["vault-manifest/1"], "first line")
    rows = rows[1:]

    def take(name, read):
        need(rows and rows[0][0] == name, name)
        return read(rows.pop(0)[1:])

    found = {"body": take("body", one(b64(32))), "size": take("size", one(number)), "digest": {}}
    while True:
        kind, value = take("digest", digest_line)
        need(kind not in found["digest"], "digest twice")
        found["digest"][kind] = value
        if not rows or rows[0][0] != "digest":
            break
    for name, read in OPTIONAL:
        if rows and rows[0][0] == name:
            found[name] = take(name, read)
    need(all(row[0].startswith("x-") and len(row[0]) > 2 and len(row) > 1 for row in rows),
         "unknown line")
    need(sum(len(" ".join(row)) + 1 for row in rows) <= MOST_MORE, "too many x- lines")
    return found


def abort(payload):
    """Clause 5.5: stage, exit code, error."""
    rows = lines(payload)
    names = ["vault-abort/1", "stage", "exit", "error", "numbers"]
    need(len(rows) in (4, 5) and [row[0] for row in rows] == names[:len(rows)], "lines")
    need(len(rows[0]) == 1, "first line")
    need(all(len(row) > 1 for row in rows[4:]), "numbers")
    for row in rows[4:]:
        for field in row[1:]:
            number(field)
    return one(name)(rows[1][1:]), one(lambda f: number(f, 256))(rows[2][1:]), one(name)(rows[3][1:])
