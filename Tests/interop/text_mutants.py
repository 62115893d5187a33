"""Mutants of the texts of docs/FORMAT.md, clause 1.1: lines, fields, escapes, numbers, dates, UTF-8."""

import string

ALPHABET = string.ascii_letters + string.digits + "+/"
NUMBERS = ["0", "00", "01", "-0", "-1", "+1", "1e3", "0x1", "9223372036854775807", "9223372036854775808",
           "18446744073709551616", "1" * 40, "1.0", "255", "256"]
TIMES = ["2024-02-29T23:59:59Z", "2026-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
         "2100-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "0000-01-01T00:00:00Z",
         "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
         "10000-01-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T23:59:60Z",
         "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T00:00:00z",
         "2026-01-01t00:00:00Z", "2026-01-01T00:00:00+00:00", "2026-1-1T0:0:0Z", "2026-01-01T00:00:00.0Z",
         "+026-01-01T00:00:00Z", "2026-01-01%2000:00:00Z", "2026-01-01T00:00:00"]
TEXTS = ["%C3%B6", "%E2%82%AC", "%F0%9F%92%89", "%F4%8F%BF%BF", "%EF%BF%BD", "a%CC%88", "%EF%BB%BF", "%C2%80",
         "%7F", "%0A", "%0D%0A", "%20", "%25", "%80", "%C3", "%C0%80", "%C1%BF", "%E0%80%AF", "%F0%80%80%AF",
         "%ED%A0%80", "%ED%BF%BF", "%F4%90%80%80", "%F8%88%80%80%80", "%FE", "%FF", "%E2%82", "%00", "a%00b",
         "%41", "%c3%b6", "%", "%4", "%zz", "%2", "%7e", "a%21", "", "a" * 16000, "%20" * 5000, "%FF" * 5000,
         "a" * 16384]
MORE = ["x-", "x-a", "x-a b", "x-a b c", "x-a  b", "x-a b ", "x-%20 b", "x-%41 b", "X-a b", "x-a %41", "x-a %FF",
        "x-a %00", "x- b", "y-a b", "x-a-b %20 %25", "x-%00 b", "x-é b", "xa b", "x-fill " + "a" * 15000,
        "x-fill " + "a" * 16376, "x-name x", "x-digest 1"]
DIGESTS = ["sha3-256 " + "00" * 32, "sha256 " + "00" * 32, "md5 " + "00" * 16, "sha3-256 " + "00" * 31,
           "SHA256 " + "00" * 32, "sha256", "sha3-256 " + "AA" * 32, "sha512 " + "00" * 64]
SLOTS = ["slot", "slot later", "slot later a b", "slot later %20", "slot later %41", "slot later ", "slot  later",
         "slot %C3%B6", "slot %41", "slot Key 1", "slot key", "slot key 0102030405060708", "slot derived",
         "slot x25519 0102030405060708 AA AA", "slot later " + "a" * 9000, "slot check AAAA", "detached",
         "detached 1", "slots", "mac AAAA", "x-a b", "vault-envelope/1"]
# The lines of a manifest, in their order, and what is put into them.
ORDER = ["vault-manifest/1", "body", "size", "digest", "name", "media-type", "optimized", "time", "source-etag",
         "source-version", "source-bytes"]
VALUES = {"size": NUMBERS, "digest": DIGESTS, "name": TEXTS, "media-type": TEXTS, "time": TIMES,
          "optimized": ["true", "false", "True", "1", "true true", ""], "source-etag": TEXTS,
          "source-version": TEXTS, "source-bytes": NUMBERS}


def lines_of(text):
    return text.decode("latin-1").split("\n")[:-1]


def text_of(lines):
    return "".join(line + "\n" for line in lines).encode("latin-1")


def place(lines, name):
    """Where a line of this name stands, or would stand."""
    if name not in ORDER:
        return len(lines)
    after = ORDER[ORDER.index(name):]
    for at, line in enumerate(lines):
        if line.split(" ")[0] in after or line.startswith("x-"):
            return at
    return len(lines)


def with_value(rng, lines):
    """A line of a manifest with a value that is on an edge, where the format wants it."""
    name = rng.choice([*VALUES, "x-"])
    if name == "x-":
        new, at = rng.choice(MORE), len(lines)
    else:
        new, at = f"{name} {rng.choice(VALUES[name])}", place(lines, name)
    replaces = at < len(lines) and lines[at].split(" ")[0] == name and rng.random() < 0.9
    return [*lines[:at], new, *lines[at + replaces:]]


def changed_field(rng, field):
    at = rng.randrange(len(field) + 1)
    some = field[at:at + 1] or "a"
    choices = [
        lambda: field[:-1] + rng.choice(ALPHABET), lambda: field + "=", lambda: field[:-1],
        lambda: field + rng.choice(ALPHABET), lambda: field.replace("+", "-").replace("/", "_"),
        lambda: field.upper(), lambda: field.lower(), lambda: "0" + field,
        lambda: field[:at] + f"%{ord(some) & 255:02X}" + field[at + 1:],
        lambda: field[:at] + rng.choice(TEXTS[:36]) + field[at:],
        lambda: field[:at] + chr(rng.randrange(256)) + field[at + 1:],
        lambda: field[:at] + " " + field[at:], lambda: "", lambda: rng.choice(NUMBERS),
        lambda: rng.choice(TIMES), lambda: "00000000-0000-0000-0000-000000000000",
        lambda: "{" + field + "}", lambda: field[::-1], lambda: field + "\t",
        lambda: field.replace("-", ""),
    ]
    return rng.choice(choices)()


def changed_line(rng, line):
    fields = line.split(" ")
    at = rng.randrange(len(fields))
    match rng.randrange(8):
        case 0:
            fields.pop(at)
        case 1:
            fields.insert(at, rng.choice(["", "a", "%20", "0"]))
        case 2:
            rng.shuffle(fields)
        case 3:
            fields.append(fields[at])
        case _:
            fields[at] = changed_field(rng, fields[at])
    return " ".join(fields)


def changed_lines(rng, lines, more):
    """Whole lines dropped, doubled, moved, put in; or one of them changed."""
    lines, at = list(lines), rng.randrange(len(lines) or 1)
    other = rng.randrange(len(lines) or 1)
    match rng.randrange(10) if lines else 0:
        case 0:
            lines.insert(at, rng.choice(more))
        case 1:
            lines.pop(at)
        case 2:
            lines.insert(other, lines[at])
        case 3:
            lines[at], lines[other] = lines[other], lines[at]
        case 4:
            lines.insert(other, lines.pop(at))
        case 5:
            lines.insert(at, "")
        case _:
            lines[at] = changed_line(rng, lines[at])
    return lines


def changed_bytes(rng, text):
    """What no writer of lines would make."""
    at = rng.randrange(len(text) + 1)
    choices = [
        lambda: text[:-1], lambda: text + b"\n", lambda: b"\n" + text, lambda: text + b"\0",
        lambda: text.replace(b"\n", b"\r\n", 1), lambda: text.replace(b"\n", b"\r\n"),
        lambda: text[:at] + bytes([rng.randrange(256)]) + text[at:],
        lambda: text[:at] + text[at + 1:], lambda: b"", lambda: text[:at], lambda: text + text,
        lambda: b"\xef\xbb\xbf" + text, lambda: text.replace(b"/1\n", b"/2\n", 1),
        lambda: text[:at] + bytes([(text[at:at + 1] or b"a")[0] ^ 1 << rng.randrange(8)]) + text[at + 1:],
    ]
    return rng.choice(choices)()


def manifest(rng, text):
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        lines = lines_of(text)
        match rng.randrange(10):
            case 0:
                text = changed_bytes(rng, text)
            case 1 | 2 | 3:
                text = text_of(changed_lines(rng, lines, MORE + ["name a", "size 5", "time " + TIMES[0]]))
            case _:
                text = text_of(with_value(rng, lines))
    return text


def envelope(rng, lines):
    """The lines of an envelope before `check`."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        match rng.randrange(8):
            case 0:
                lines = lines_of(changed_bytes(rng, text_of(lines)))
            case 1:
                at = rng.randrange(3, len(lines) + 1) if len(lines) > 3 else 0
                lines = [*lines[:at], *[rng.choice(SLOTS[1:8])] * rng.choice([1, 2, 60, 63, 64]), *lines[at:]]
            case 2:
                slots = lines[3:]
                rng.shuffle(slots)
                lines = lines[:3] + slots
            case _:
                lines = changed_lines(rng, lines, SLOTS)
    return lines
