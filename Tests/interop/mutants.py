"""Mutants of good objects: what a forger can do to the bytes, and what a foreign sealer can do with the keys."""

import dataclasses

import text_mutants
from frame_mutants import FrameWays
from sealed_bases import all_bases, b64, fitted, joined

# Points of small order and ones that are not canonical; HPKE gives none of them a key.
POINTS = [bytes(32), b"\1" + bytes(31), (2**255 - 20).to_bytes(32, "little"), (2**255 - 19).to_bytes(32, "little"),
          (2**255 - 18).to_bytes(32, "little"), b"\xff" * 32, b"\xff" * 31 + b"\x7f",
          bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
          bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")]


@dataclasses.dataclass
class Mutant:
    """An object, the envelope that is given with it, and whether someone with the keys made it."""

    how: str
    base: object
    object: bytes
    override: bytes
    has_keys: bool = False


class Maker(FrameWays):
    """Makes mutant after mutant out of one source of chance."""

    def __init__(self):
        self.small, self.large = all_bases()

    def mutant(self, rng):
        base = rng.choice(self.large if rng.random() < 0.01 else self.small)
        how, weights = zip(*self.WAYS)
        way = rng.choices(how, weights)[0]
        made = way(self, rng, base)
        if isinstance(made, bytes):
            made = Mutant("", base, made, base.override)
        made.how = way.__name__
        if rng.random() < 0.04:  # and damaged on its way
            made.object = self.damaged(rng, made.object)
            made.has_keys = True
            made.how += ", damaged"
        return made

    def with_keys(self, base, stream):
        return Mutant("", base, joined(stream), base.override, True)

    # Bytes

    def flips(self, rng, base):
        raw = bytearray(joined(base.stream))
        for _ in range(rng.choice([1, 1, 1, 2, 8])):
            raw[self.spot(rng, base)] ^= 1 << rng.randrange(8)
        return bytes(raw)

    def spot(self, rng, base):
        """A place in the object: each frame as often as another, its header as often as the rest."""
        sizes = [len(bytes(part)) for part in base.stream]
        part = rng.randrange(len(sizes))
        start, size = sum(sizes[:part]), sizes[part]
        return start + rng.choice([rng.randrange(min(16, size)), rng.randrange(size), size - 1])

    def damaged(self, rng, raw):
        at = rng.randrange(len(raw) + 1)
        some = bytes(rng.randrange(256) for _ in range(rng.choice([1, 1, 2, 16])))
        choices = [raw[:at], raw + some, raw[:at] + some + raw[at:], raw[:at] + raw[at + len(some):],
                   raw[:at] + some + raw[at + len(some):], raw + raw, raw[len(some):], raw + b"\n",
                   raw + raw[:8], raw[:at] + raw[:at]]
        return rng.choice(choices)

    def bytes_moved(self, rng, base):
        return self.damaged(rng, joined(base.stream))

    def cuts(self, rng, base):
        stream = base.stream
        borders = [len(joined(stream[:count])) for count in range(len(stream) + 1)]
        at = rng.choice(borders) + rng.choice([0, 0, 0, 1, 7, 8, 15, 16, 17, 56, -1])
        return joined(stream)[:max(0, at)]

    def prologues(self, rng, base):
        raw = joined(base.stream)
        head = bytearray(raw[:8])
        match rng.randrange(6):
            case 0:
                head[6] = rng.choice(b"pscrfbex")
            case 1:
                head[5] = rng.choice([0, 2, 49, 255])
            case 2:
                head[7] = rng.choice([13, 0, 32, 10])
                head[rng.randrange(8)] ^= 1 << rng.randrange(8)
            case 3:
                marks = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"V\0A\0U\0", b"\0V\0A\0U", b"VAULT\1b\n"]
                head = rng.choice(marks) + rng.choice([b"", head])
            case 4:
                head[rng.randrange(8)] = rng.randrange(256)
            case 5:
                for at in rng.sample(range(8), 2):
                    head[at] = rng.choice([13, 10, 0x73, 2, head[at]])
        raw = bytes(head) + raw[8:]
        return raw[:rng.randrange(12)] if rng.random() < 0.3 else raw

    # Texts

    def envelope_text(self, rng, base, closing=None):
        stream, sealed = base.stream, base.sealed
        lines = text_mutants.lines_of(sealed.envelope_start())
        text = text_mutants.text_of(text_mutants.envelope(rng, lines))
        stream[1].payload = base.closed(text)
        return self.with_keys(base, fitted(stream))

    def envelope_unsigned(self, rng, base):
        """Changed by someone who can make a check and no MAC, or neither."""
        stream = base.stream
        old = stream[1].payload
        if rng.random() < 0.5:
            stream[1].payload = text_mutants.changed_bytes(rng, old)
        elif rng.random() < 0.5:
            lines = text_mutants.lines_of(old)
            stream[1].payload = text_mutants.text_of(text_mutants.changed_lines(rng, lines, text_mutants.SLOTS))
        else:
            lines = text_mutants.envelope(rng, text_mutants.lines_of(base.sealed.envelope_start()))
            new = base.closed(text_mutants.text_of(lines))
            stream[1].payload = new[:new.rindex(b"mac ")] + old[old.rindex(b"mac "):]
        same = stream[1].payload == old
        made = joined(fitted(stream))
        return made if not same else Mutant("", base, made, base.override, True)

    def overrides(self, rng, base):
        """Another envelope beside the object."""
        other = rng.choice(self.small)
        given = base.override or base.stream[1].payload
        lines = text_mutants.lines_of(given[:given.rindex(b"check ")])
        choices = [
            lambda: base.closed(text_mutants.text_of(text_mutants.envelope(rng, lines))),
            lambda: other.stream[1].payload, lambda: other.override, lambda: base.stream[1].payload,
            lambda: text_mutants.changed_bytes(rng, given),
            lambda: base.closed(text_mutants.text_of([*lines[:3], "detached"])),
        ]
        return Mutant("", base, joined(base.stream), rng.choice(choices)(), True)

    def slots(self, rng, base):
        """Slots that are well made for another key, another item, another data key, or no point."""
        sealed, other = base.sealed, rng.choice(self.small).sealed
        lines = text_mutants.lines_of(sealed.envelope_start())
        theirs = [line for line in text_mutants.lines_of(other.envelope_start()) if line.startswith("slot")]
        ours = [at for at, line in enumerate(lines) if line.startswith("slot ")]
        if ours and rng.random() < 0.5:
            at = rng.choice(ours)
            fields = lines[at].split(" ")
            if fields[1] == "x25519" and len(fields) == 5:
                fields[3] = b64(rng.choice(POINTS))
            elif len(fields) > 2:
                fields[2] = rng.choice([other.item.hex[:16], "0" * 16, fields[2]])
                fields[-1] = fields[-1][::-1]
            lines[at] = " ".join(fields)
        elif theirs:
            lines = lines[:3] + [line for line in lines[3:] if line != "detached"]
            lines.insert(rng.choice([3, len(lines)]), rng.choice(theirs))
        stream = base.stream
        stream[1].payload = base.closed(text_mutants.text_of(lines))
        return self.with_keys(base, fitted(stream))

    def manifests(self, rng, base):
        stream = base.stream
        frame = stream[-2]
        frame.payload = base.manifest(text_mutants.manifest(rng, base.sealed.manifest_text()))
        return self.with_keys(base, fitted(stream))

    def two_faults(self, rng, base):
        """A manifest that may be malformed, and something else that comes before it or after it."""
        stream = base.stream
        stream[-2].payload = base.manifest(text_mutants.manifest(rng, base.sealed.manifest_text()))
        frame = rng.choice(fitted(stream)[1:])
        at = rng.randrange(len(frame.payload))
        match rng.randrange(3):
            case 0:
                frame.payload = frame.payload[:at] + bytes([frame.payload[at] ^ 1]) + frame.payload[at + 1:]
            case 1:
                frame.index += 1
            case 2:
                stream[-1].payload = bytes(24)
        return self.with_keys(base, stream)

    def untouched(self, rng, base):
        return Mutant("", base, joined(base.stream), base.override, True)

    WAYS = [(flips, 14), (bytes_moved, 6), (cuts, 6), (prologues, 6), (FrameWays.headers, 12), (FrameWays.frames, 10),
            (FrameWays.payloads, 6), (FrameWays.ends, 4), (FrameWays.aborts, 8), (FrameWays.regrouped, 4),
            (FrameWays.bodies, 5), (envelope_text, 16),
            (envelope_unsigned, 6), (overrides, 5), (slots, 8), (manifests, 28), (two_faults, 5), (untouched, 1)]

