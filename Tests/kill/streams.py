"""What goes through the pipelines: one original of three parts, a batch of three, recorded once, and
the places in the input of each stage at which a stage is struck. Keys differ from run to run, lengths
do not, so a place found in the recording is exact in every run."""

import hashlib
import os
import pathlib
import struct
import subprocess
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PATH": f"{ROOT}/bin:{os.environ['PATH']}", "SWIFT_BACKTRACE": "enable=no"}
MIB = 1 << 20
SPOTS = ["before the first byte", "in the first frame", "at a frame border", "inside a part",
         "before the end frame", "after the end frame"]
STAGES = ["hash", "seal", "chunk", "put"]


def run(*command, data=None, file=None, check=True, environment=None):
    with open(file or os.devnull, "rb") as source:
        feed = {"input": data} if data is not None else {"stdin": source}
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                              check=check, env={**ENVIRONMENT, **(environment or {})}, **feed)


def frames(stream):
    """(letter, start, end) of each frame, and of each prologue with the small letter of its kind."""
    at, after = 0, "Z"
    while at < len(stream):
        if after in "ZXb":
            after, end = chr(stream[at + 6]), at + 8
        else:
            after, end = chr(stream[at]), at + 16 + struct.unpack_from(">I", stream, at + 4)[0]
        yield after, at, end
        at = end


def spots(stream):
    """How many bytes a stage has been given at each of SPOTS."""
    found = list(frames(stream))
    data = [f for f in found if f[0] in "DC"]
    middle = data[len(data) * 6 // 10]
    batch = found[0][0] == "b"
    border = next(f for f in found if f[0] in ("Z" if batch else "DC"))[2]
    first = next(f for f in found if f[0].isupper())
    last = found[-2][1] if batch else data[-1][2]
    return dict(zip(SPOTS, [0, first[1] + 19, border, (middle[1] + middle[2]) // 2, last, len(stream)]))


def raw_spots(size):
    """The same for bytes that have no frames; None: the input has ended, too."""
    return dict(zip(SPOTS, [0, 3, 64 << 10, size * 6 // 10, size, None]))


def frame(letter, payload, index=0, flags=0):
    return struct.pack(">BBHIQ", ord(letter), flags, 0, len(payload), index) + payload


def prologue(kind):
    return b"VAULT\x01" + kind + b"\n"


def plain_item(item, data):
    label = f"vault-label/1\nitem {item}\n".encode()
    pieces = [data[at:at + MIB] for at in range(0, len(data), MIB)]
    digest = f"sha3-256 {hashlib.sha3_256(data).hexdigest()}\n".encode()
    end = struct.pack(">QQQ", len(data), len(pieces), 0)
    return (prologue(b"p") + frame("L", label, flags=1)
            + b"".join(frame("D", piece, index) for index, piece in enumerate(pieces))
            + frame("H", digest) + frame("Z", end))


def batch(items):
    end = struct.pack(">QQQ", len(items), len(items), 0)
    return (prologue(b"b") + b"".join(plain_item(item, data) for item, data in items.items())
            + prologue(b"e") + frame("Z", end))


class Shape:
    """A stream in the forms that the stages read, and what is in it."""

    def __init__(self, name, room, source, contents, hash_options, team):
        self.name, self.contents = name, contents
        self.commands = {"hash": ["vault-hash", *hash_options], "seal": ["vault-seal", "-R", team],
                         "chunk": ["vault-chunk", "--part-size=5MiB"]}
        self.inputs, self.spots = {"hash": str(room / f"{name}.hash")}, {}
        pathlib.Path(self.inputs["hash"]).write_bytes(source)
        self.spots["hash"] = spots(source) if hash_options else raw_spots(len(source))
        for stage, after in zip(STAGES, STAGES[1:]):
            source = run(*self.commands[stage], file=self.inputs[stage]).stdout
            self.inputs[after] = str(room / f"{name}.{after}")
            pathlib.Path(self.inputs[after]).write_bytes(source)
            self.spots[after] = spots(source)
        self.spots["producer"] = {s: at for s, at in self.spots["hash"].items() if at is not None}


class Streams:
    def __init__(self, room):
        self.room = room
        self.key = str(room / "key")
        run("vault-key", "new", "-o", self.key)
        team = room / "team.txt"
        team.write_bytes(run("vault-key", "public", self.key).stdout)
        data = os.urandom(12_000_000)
        self.single = Shape("single", room, data, {None: data}, [], str(team))
        items = {str(uuid.uuid4()): os.urandom(n) for n in (100_000, 6_000_000, 70_000)}
        self.batch = Shape("batch", room, batch(items), items, ["--framed"], str(team))
        self.small = Shape("small", room, data[:50_000], {None: data[:50_000]}, [], str(team))
