"""test_sealing.py [WORD…]: damaged, swapped and foreign objects, from outside. Names begin with ids of docs/CASES.md."""

import contextlib
import hashlib
import os
import struct
import sys

import streams
from room import MIB, Room, equal, finish, run_all, start, tool


class Tests:
    def __init__(self, room):
        self.room = room
        self.size = 6 * MIB + 5
        self.vault = room.sealed(self.size)[0]
        self.data = room.data(self.size)
        self.frames = [(letter, at, 16 + len(payload)) for letter, payload, at in
                       streams.frames(self.vault)]

    def open(self, vault, *options):
        return finish(start("vault-open", "-i", self.room.identity, *options, stdin=-1, stdout=-1,
                            stderr=-1), vault)

    def bad(self, vault, names, what, *options):
        """It fails with one of these names, and what came out before is right."""
        done = self.open(vault, *options)
        equal(done.status, 66 if names == ["incomplete"] else 65, f"{what}: {done.err}")
        equal(self.data.startswith(done.out) and len(done.out) <= len(self.data), True, what)
        verdict = self.open(vault, "--check")
        for verdict in verdict.receipts:  # none for what is no item at all
            equal((verdict["consistent"], verdict["error"]["name"] in names), (False, True), what)
        return done

    def cut(self, index):
        _, at, length = self.frames[index]
        return self.vault[at:at + length]

    def joined(self, *pieces):
        return self.vault[:8] + b"".join(pieces)

    def test_c01_a_flipped_bit_in_each_frame_stops_there(self):
        for index, (letter, at, length) in enumerate(self.frames):
            for place in (at, at + 4, at + 12, at + 16, at + length // 2, at + length - 1):
                spoilt = bytearray(self.vault)
                spoilt[place] ^= 1
                done = self.open(bytes(spoilt))
                equal(done.status in (65, 66), True, f"{letter} {place}: {done.status} {done.err}")
                equal(self.data.startswith(done.out), True, f"{letter} at {place}")
                # Only the chunks before the damaged one came out.
                before = sum(1 for f in self.frames[:index] if f[0] == "C")
                most = before * MIB + MIB if letter == "C" else len(self.data)
                assert len(done.out) <= most, f"{len(done.out)} bytes past the damage at {place}"

    def test_c01_the_message_names_the_chunk(self):
        spoilt = bytearray(self.vault)
        _, at, length = self.frames[3]  # the third C
        spoilt[at + length - 1] ^= 1
        done = self.bad(bytes(spoilt), ["body-damaged"], "the last chunk of a frame")
        assert "chunk 191" in done.err or "chunk 192" in done.err, done.err

    def test_c02_the_end_is_checked_though_a_reader_leaves(self):
        spoilt = self.vault[:-1] + bytes([self.vault[-1] ^ 1])
        equal(self.open(spoilt).status in (65, 66), True)
        begun = start("bash", "-c", f'vault-open -i {self.room.identity} | head -c 1; '
                      'echo "${PIPESTATUS[0]}"', stdin=-1, stdout=-1, stderr=-1)
        with contextlib.suppress(BrokenPipeError):
            begun.stdin.write(spoilt)
        with contextlib.suppress(BrokenPipeError):
            begun.stdin.close()
        begun.stdin = None
        equal(finish(begun).out[1:], b"141\n")

    def test_c03_no_file_appears_for_a_damaged_object(self):
        place = self.room.directory()
        spoilt = bytearray(self.vault)
        spoilt[self.frames[4][1] + 100] ^= 1
        done = self.open(bytes(spoilt), "-o", str(place / "out"))
        equal([done.status, os.listdir(place)], [65, []])

    def test_c04_a_wrong_key_leaves_the_existing_file(self):
        place = self.room.directory()
        (place / "out").write_text("kept")
        other = str(place / "other")
        tool("vault-key", "new", "-o", other)
        done = finish(start("vault-open", "-i", other, "-o", str(place / "out"), stdin=-1, stdout=-1,
                            stderr=-1), self.vault)
        equal([done.status, (place / "out").read_text()], [77, "kept"])
        equal(sorted(os.listdir(place)), ["other", "out"])

    def test_c05_frames_swapped_dropped_doubled_cut_and_from_elsewhere(self):
        every = [self.cut(i) for i in range(len(self.frames))]
        envelope, first, second, third, *rest = every
        other = [v for v in self.others()]
        for what, stream, names in (
                ("2 and 3 swapped", self.joined(envelope, first, third, second, *rest), ["frame-index"]),
                ("2 dropped", self.joined(envelope, first, third, *rest), ["frame-index"]),
                ("2 doubled", self.joined(envelope, first, second, second, third, *rest), ["frame-index"]),
                ("cut after 3", self.joined(envelope, first, second, third), ["incomplete"]),
                ("2 from another", self.joined(envelope, first, other[2], third, *rest),
                 ["body-damaged"])):
            self.bad(stream, names, what)
        # With the indices made right, only the authentication can tell.
        swapped = self.joined(envelope, first, renumbered(third, 64), renumbered(second, 128), *rest)
        self.bad(swapped, ["body-damaged"], "swapped and renumbered")

    def others(self):
        vault = self.room.sealed(self.size, 1)[0]
        return [vault[at:at + 16 + len(payload)] for _, payload, at in streams.frames(vault)]

    def test_c09_what_follows_the_end_is_named(self):
        for more in (b"x", b"\n", b"\x00" * 4096, self.vault[-100:], self.vault):
            self.bad(self.vault + more, ["trailing-bytes"], f"{len(more)} bytes more")

    def test_c09_a_shorter_file_over_a_longer_one(self):
        place = self.room.directory() / "out"
        place.write_bytes(b"y" * (8 * MIB))
        done = self.open(self.room.sealed(5)[0], "-o", str(place))
        if done.status == 73:  # it does not replace: then the old file is whole
            equal(place.read_bytes() == b"y" * (8 * MIB), True)
        else:
            equal((done.status, place.read_bytes() == self.room.data(5)), (0, True))

    def test_c12_no_key_and_no_salt_is_used_twice(self):
        hashed = tool("vault-hash", data=b"the same").out
        seen = set()
        for _ in range(200):
            vault = tool("vault-seal", "-r", self.room.recipient, data=hashed).out
            body = next(p for letter, p, _ in streams.frames(vault) if letter == "C")
            seen.add(body[:24])
            seen.add(body[56:])
        equal(len(seen), 400)

    def test_c14_wrong_key_damaged_data_and_damaged_envelope_are_told_apart(self):
        other = str(self.room.directory() / "other")
        tool("vault-key", "new", "-o", other)
        done = finish(start("vault-open", "-i", other, stdin=-1, stdout=-1, stderr=-1), self.vault)
        equal((done.status, done.out), (77, b""))
        spoilt = bytearray(self.vault)
        spoilt[self.frames[5][1] + 4096] ^= 1
        damaged = self.bad(bytes(spoilt), ["body-damaged"], "data")
        spoilt = bytearray(self.vault)
        spoilt[self.frames[0][1] + 16 + 100] ^= 1
        header = self.open(bytes(spoilt))
        equal((header.status in (65, 77), header.out), (True, b""))
        equal(len({done.err, damaged.err, header.err}), 3, "texts")

    def test_c15_another_version_is_named(self):
        newer = self.vault[:5] + b"\x02" + self.vault[6:]
        done = self.bad(newer, ["unsupported-version"], "version 2")
        assert "version" in done.err, done.err

    def test_c16_an_unknown_algorithm_is_refused_and_never_guessed(self):
        done = finish(start("vault-hash", "--also", "md4", stdin=-1, stdout=-1, stderr=-1), b"x")
        equal((done.status, done.out), (64, b""))
        envelope = next(p for letter, p, _ in streams.frames(self.vault) if letter == "E")
        lines = envelope.split(b"\n")
        slot = next(i for i, line in enumerate(lines) if line.startswith(b"slot "))
        for index in range(len(lines[slot].split(b" "))):
            words = lines[slot].split(b" ")
            words[index] = b"unheard-of"
            changed = b"\n".join([*lines[:slot], b" ".join(words), *lines[slot + 1:]])
            rest = self.vault[self.frames[1][1]:]
            done = self.open(self.vault[:8] + streams.frame("E", changed) + rest)
            equal((done.status in (65, 77), done.out), (True, b""), f"{index}: {done.err}")

    def test_c17_sha3_256_is_the_one_of_the_standard(self):
        for data in (b"", b"abc", bytes(range(256)) * 300, b"\x06" * 136, b"\x01" * 135):
            said = tool("vault-hash", "--print", data=data).out.split()[0].decode()
            equal(said, hashlib.sha3_256(data).hexdigest())
        equal(tool("vault-hash", "--print").out[:64],
              b"a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a")

    def test_c20_key_files_without_a_last_line_end(self):
        text = open(self.room.identity, "rb").read()
        key = next(line for line in text.split(b"\n") if line.startswith(b"AGE-SECRET"))
        small = self.room.sealed(5)[0]
        for form in (key, key + b"\n", key + b"\r\n", b"\n\n" + key + b"\n\n", b"# a note\r\n" + key,
                     text.replace(b"\n", b"\r\n")):
            path = self.room.directory() / "key"
            path.write_bytes(form)
            path.chmod(0o600)
            done = finish(start("vault-open", "-i", str(path), stdin=-1, stdout=-1, stderr=-1), small)
            equal((done.status, done.out), (0, self.room.data(5)), f"{form[-6:]!r} {done.err}")


def renumbered(frame, index):
    return frame[:8] + struct.pack(">Q", index) + frame[16:]


def main():
    room = Room()
    try:
        tests = Tests(room)
        room.sealed(5)
        return run_all([(name, getattr(tests, name)) for name in dir(tests)
                        if name.startswith("test_")])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
