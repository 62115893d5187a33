"""Mutants in whole frames: headers, order, payloads, ends, aborts, and bodies in another layout."""

import dataclasses
import struct

import text_mutants
from sealed_bases import Frame, cobblestone, fitted, joined

LETTERS = "LDHECTMPSXZ"
ABORT = b"vault-abort/1\nstage vault-get\nexit 66\nerror incomplete\n"
ABORT_LINES = ["numbers 1 2", "numbers", "numbers 01", "numbers 9223372036854775808", "x-a b", "stage a"]
ABORT_VALUES = ["exit 0", "exit 255", "exit 256", "exit 065", "error no-such-name", "error Upper", "error",
                "error " + "a" * 40, "error " + "a" * 41, "stage %61", "stage a%20b", "stage -", "exit 65 66"]


class FrameWays:
    """Ways of a maker, which knows the bases."""

    def headers(self, rng, base):
        stream = base.stream
        frame = rng.choice(stream[1:])
        for _ in range(rng.choice([1, 1, 2])):
            match rng.randrange(5):
                case 0:
                    frame.type = rng.choice(LETTERS + "qQez\0")
                case 1:
                    frame.flags = rng.choice([0, 1, 2, 3, 4, 128, rng.randrange(256)])
                case 2:
                    frame.reserved = rng.choice([1, 256, 65535])
                case 3:
                    size = len(frame.payload)
                    frame.length = rng.choice([0, 1, 15, 16, 24, 71, 72, 16384, 16385, 16455, 16456, 1049656,
                                               1049657, 2**32 - 1, size - 1, size + 1, size + 16, max(0, size - 16)])
                    frame.length = max(0, frame.length)
                case 4:
                    frame.index = rng.choice([0, 1, 2, 63, 64, 65, 2**32, 2**64 - 1])
        return joined(stream)

    def frames(self, rng, base):
        stream = base.stream
        for _ in range(rng.choice([1, 1, 2])):
            at, other = rng.randrange(1, len(stream)), rng.randrange(1, len(stream))
            match rng.randrange(6):
                case 0 if len(stream) > 2:
                    stream.pop(at)
                case 1:
                    stream.insert(other, dataclasses.replace(stream[at]))
                case 2:
                    stream[at], stream[other] = stream[other], stream[at]
                case 3:
                    stream.insert(other, rng.choice(rng.choice(self.small).frames))
                case 4:
                    stream[at] = rng.choice(rng.choice(self.small).frames)
                case _:
                    stream.insert(other, self.stranger(rng))
        return joined(stream)

    def stranger(self, rng):
        """A frame that no object at rest has, or not there."""
        size = rng.choice([0, 1, 16, 24, 48, 72, 100])
        return Frame(rng.choice(LETTERS + "qA~"), bytes(size), rng.choice([0, 0, 1]),
                     rng.choice([None, None, 0, 1, 2, 3]))

    def payloads(self, rng, base):
        stream = base.stream
        frame = rng.choice(stream[1:])
        size = len(frame.payload)
        at = rng.randrange(size)
        frame.payload = rng.choice([
            frame.payload[:-1], frame.payload + b"\0", frame.payload[:at], frame.payload[at:],
            frame.payload[16:], frame.payload + bytes(16), frame.payload[:72], b"",
            frame.payload[:-16], frame.payload[:56] + frame.payload[72:]])
        return joined(stream)

    def ends(self, rng, base):
        stream = base.stream
        numbers = list(struct.unpack(">QQQ", stream[-1].payload))
        at = rng.randrange(3)
        numbers[at] = rng.choice([0, 1, numbers[at] + 1, max(0, numbers[at] - 1), numbers[at] ^ 1 << 63,
                                  2**64 - 1, numbers[at - 1], numbers[at] + 16])
        stream[-1].payload = struct.pack(">QQQ", *numbers)
        return joined(stream)

    def aborts(self, rng, base):
        lines = text_mutants.lines_of(ABORT)
        match rng.randrange(6):
            case 0:
                lines.append(rng.choice(ABORT_LINES))
            case 1 | 2:
                new = rng.choice(ABORT_VALUES)
                lines = [new if line.split(" ")[0] == new.split(" ")[0] else line for line in lines]
            case 3:
                lines = text_mutants.changed_lines(rng, lines, ABORT_LINES)
        text = text_mutants.text_of(lines)
        if rng.random() < 0.1:
            text = text_mutants.changed_bytes(rng, text)
        stream = base.stream
        at = rng.randrange(1, len(stream) + 1)
        rest = stream[at:] if rng.random() < 0.5 else []
        frame = Frame("X", text, rng.choice([0, 0, 0, 0, 1]), rng.choice([None, None, None, 0, 3]))
        return joined([*stream[:at], frame, *rest])

    def regrouped(self, rng, base):
        """The chunks in other frames: true bytes, another layout."""
        stream = base.stream
        chunks = b"".join(part.payload for part in stream[1:] if part.type == "C")
        cuts = sorted({0, len(chunks), *(56 + 16400 * rng.randrange(0, 66) for _ in range(rng.choice([1, 2])))})
        cuts = [cut for cut in cuts if cut <= len(chunks)]
        frames = [Frame("C", chunks[a:b], max(0, (a - 56) // 16400)) for a, b in zip(cuts, cuts[1:])]
        rest = [part for part in stream[1:] if part.type in "MZ"]
        rest[-1].payload = rest[-1].payload[:8] + struct.pack(">Q", len(frames)) + rest[-1].payload[16:]
        return joined(fitted([*stream[:2], *frames, *rest]))

    def bodies(self, rng, base):
        """Other chunks under the true key: more or less data, and some of them lost, doubled or swapped."""
        sealed, stream = base.sealed, base.stream
        old = sealed.data
        data = rng.choice([old[:-1], old + b"\0", old[: len(old) // 2], bytes(len(old)), old + bytes(16384), old])
        context = b"vault/1 body" + sealed.item.bytes
        head, chunks = cobblestone(sealed.data_key, context, sealed.head[:24], data)
        at, other = rng.randrange(len(chunks)), rng.randrange(len(chunks))
        match rng.randrange(6):
            case 0 if len(chunks) > 1:
                chunks.pop(at)
            case 1:
                chunks.insert(other, chunks[at])
            case 2:
                chunks[at], chunks[other] = chunks[other], chunks[at]
        groups = [chunks[k:k + 64] for k in range(0, len(chunks), 64)]
        frames = [Frame("C", b"".join(group), 64 * k) for k, group in enumerate(groups)]
        frames[0].payload = head + frames[0].payload
        size = sum(len(chunk) - 16 for chunk in chunks)
        stream[-1].payload = struct.pack(">QQQ", size, len(frames), 0)
        return self.with_keys(base, fitted([*stream[:2], *frames, *stream[-2:]]))
