"""Reads streams, frames, plain items, parts and batches: clauses 2 to 5."""

import hashlib
import struct

from text_reader import ALGORITHM, Refused, fits, is_hex, lines_of, read_text, value

MIB = 2**20
LIMITS = {
    b"L": MIB, b"D": MIB, b"H": 1024, b"E": 16384, b"C": 1049656, b"T": 16455, b"M": 16455,
    b"P": 48, b"S": 65536, b"X": 1024, b"Z": 24,
}
LEAST = {b"L": 1, b"D": 1, b"H": 1, b"E": 1, b"C": 16, b"S": 1, b"X": 1, b"T": 72, b"M": 72, b"P": 48, b"Z": 24}
ORDINAL = b"LDHP"
DAMAGED = b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"V\0A\0", b"\0V\0A"


class Asked:
    """What the caller wants and has: the header of a vector file."""

    def __init__(self, headers: dict[str, list[str]]):
        self.kind = headers["kind"][0].encode()
        self.identities = headers.get("identity", [])
        self.keks = [bytes.fromhex(text) for text in headers.get("kek", [])]
        self.masters = [bytes.fromhex(text) for text in headers.get("master", [])]
        self.ranges = [tuple(map(int, text.split())) for text in headers.get("range", [])]
        self.item = headers.get("want-item", [None])[0]
        self.digest = headers.get("want-sha3-256", [None])[0]
        self.envelope = headers.get("envelope-override", [None])[0]


class Header:
    """One frame header, its own rules checked."""

    def __init__(self, raw: bytes):
        self.type, flags, reserved = raw[:1], raw[1], raw[2:4]
        self.length, self.index = struct.unpack(">IQ", raw[4:])
        if self.type not in LIMITS:
            raise Refused("unknown-frame")
        if flags != (1 if self.type in b"LSX" else 0):
            raise Refused("bad-flags")
        if reserved != b"\0\0":
            raise Refused("bad-reserved")
        if self.length > LIMITS[self.type]:
            raise Refused("frame-too-long")
        if self.length < LEAST[self.type]:
            raise Refused("frame-length")


class Stream:
    """The bytes of a stream, read once from the start."""

    def __init__(self, raw: bytes, asked: Asked, readers: dict):
        self.raw, self.at, self.asked = raw, 0, asked
        self.readers = {b"p": Plain, b"c": Parts, **readers}
        self.released = bytearray()
        self.first_fault = None
        self.in_batch = False

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.raw):
            raise Refused("incomplete")
        self.at += count
        return self.raw[self.at - count : self.at]

    def prologue(self) -> bytes:
        start = self.raw[self.at : self.at + 8]
        if self.at == 0 and len(start) < 8 and start[:6] != b"VAULT\1"[: len(start)]:
            raise Refused("not-a-stream")
        raw = self.take(8)
        if raw.startswith(DAMAGED) or raw[:5] == b"VAULT" and raw[7] == 0x0D:
            raise Refused("text-damage")
        if raw[:5] != b"VAULT":
            raise Refused("not-a-stream")
        if raw[5] != 1:
            raise Refused("unsupported-version")
        if raw[7] != 0x0A:
            raise Refused("not-a-stream")
        if raw[6:7] not in (b"p", b"s", b"c", b"r", b"f", b"b", b"e"):
            raise Refused("unknown-kind")
        return raw[6:7]

    def read(self) -> None:
        kind = self.prologue()
        if kind == b"b":
            self.in_batch = True
            self.batch()
        else:
            self.item(kind)
            if self.first_fault:
                raise Refused(self.first_fault)
        if self.at != len(self.raw):
            raise Refused("trailing-bytes")

    def item(self, kind: bytes) -> bool:
        """True when it ended with Z, false when with X."""
        if kind != self.asked.kind:
            raise Refused("wrong-kind")
        if self.readers[kind](self).read():
            return True
        self.first_fault = self.first_fault or "aborted"
        return False

    def batch(self) -> None:
        ended = []
        while (kind := self.prologue()) != b"e":
            ended.append(self.item(kind))
        header = Header(self.take(16))
        payload = self.take(header.length)
        if header.type == b"X":
            read_text(payload, b"vault-abort/1", "bad-text")
            self.first_fault = self.first_fault or "aborted"
        elif header.type != b"Z":
            raise Refused("frame-order")
        elif struct.unpack(">QQQ", payload) != (len(ended), sum(ended), len(ended) - sum(ended)):
            raise Refused("end-mismatch")


class Item:
    """An item of any kind: a table says which frame may come after which."""

    AFTER: dict[bytes, bytes] = {}

    def __init__(self, stream: Stream):
        self.stream, self.state = stream, b"^"
        self.counts: dict[bytes, int] = {}

    def allowed(self) -> bytes:
        return self.AFTER[self.state]

    def index_of(self, header: Header) -> int:
        return self.counts.get(header.type, 0) if header.type in ORDINAL else 0

    def check_place(self, header: Header) -> None:
        if header.type != b"X" and header.type not in self.allowed():
            raise Refused("frame-order")
        if header.index != self.index_of(header):
            raise Refused("frame-index")
        self.check_length(header)

    def check_length(self, header: Header) -> None:
        pass

    def read(self) -> bool:
        while True:
            header = Header(self.stream.take(16))
            self.check_place(header)
            payload = self.stream.take(header.length)
            if header.type == b"X":
                read_text(payload, b"vault-abort/1", "bad-text")
                return False
            self.counts[header.type] = self.counts.get(header.type, 0) + 1
            getattr(self, "on_" + header.type.decode())(header, payload)
            self.state = header.type
            if header.type == b"Z":
                return True

    def on_L(self, header, payload):
        self.label = read_text(payload, b"vault-label/1", "bad-text")


class Plain(Item):
    AFTER = {b"^": b"L", b"L": b"DHLZ", b"D": b"DHLZ", b"H": b"HLZ"}

    def __init__(self, stream):
        super().__init__(stream)
        self.label, self.data, self.seen = None, bytearray(), set()

    def allowed(self):
        return b"Z" if self.counts.get(b"L") == 2 else super().allowed()

    def on_L(self, header, payload):
        first = self.label
        super().on_L(header, payload)
        if first is not None:
            if value(first, b"item") != value(self.label, b"item"):
                raise Refused("bad-text")
            self.label = first  # what must come stands in the first

    def on_D(self, header, payload):
        self.data += payload
        self.stream.released += payload

    def on_H(self, header, payload):
        lines = lines_of(payload, "bad-text")
        spec = (lines[0][0] if lines else b"", "1", is_hex(32))
        known = len(lines) == 1 and ALGORITHM(lines[0][0]) and fits(lines[0], spec)
        if not known or lines[0][0] in self.seen:
            raise Refused("bad-text")
        self.seen.add(lines[0][0])
        name = lines[0][0].decode().replace("-", "_")
        if hashlib.new(name, self.data).hexdigest() != lines[0][1].decode():
            raise Refused("digest-mismatch")

    def on_Z(self, header, payload):
        said, digest = value(self.label, b"bytes"), value(self.label, b"sha3-256")
        if said is not None and int(said) != len(self.data):
            raise Refused("size-mismatch")
        if digest is not None and hashlib.sha3_256(self.data).hexdigest() != digest.decode():
            raise Refused("digest-mismatch")
        counted = len(self.data), self.counts.get(b"D", 0), 0
        if struct.unpack(">QQQ", payload) != counted:
            raise Refused("end-mismatch")


class Parts(Item):
    AFTER = {b"^": b"LD", b"L": b"D", b"D": b"DP", b"P": b"DS", b"S": b"Z"}

    def __init__(self, stream):
        super().__init__(stream)
        self.data, self.start = bytearray(), 0

    def on_D(self, header, payload):
        self.data += payload
        self.stream.released += payload

    def on_P(self, header, payload):
        number, zero, count = struct.unpack(">IIQ", payload[:16])
        if zero:
            raise Refused("bad-reserved")
        came, self.start = len(self.data) - self.start, len(self.data)
        right = number == self.counts[b"P"] and count == came
        if not right or hashlib.sha256(self.data).digest() != payload[16:]:
            raise Refused("part-mismatch")

    def on_S(self, header, payload):
        lines = read_text(payload, b"vault-summary/1", "bad-text")
        if int(value(lines, b"object-bytes")) != len(self.data):
            raise Refused("size-mismatch")
        if value(lines, b"sha256").decode() != hashlib.sha256(self.data).hexdigest():
            raise Refused("digest-mismatch")

    def on_Z(self, header, payload):
        if struct.unpack(">QQQ", payload) != (len(self.data), self.counts[b"D"], 0):
            raise Refused("end-mismatch")
