"""What each tool is asked to do, and how its success is told: one row a command.

A row reads files of the room only, writes `out`, `s` or standard output, and can be run again after
`prepare`. `judge` says whether what is there after an exit code of 0 is what was asked for."""

import json

from room import ITEM


class Work:
    def __init__(self, command, judge, outputs=(), data=None, prepare=None, network=False):
        self.command, self.judge, self.outputs = command, judge, set(outputs)
        self.data, self.prepare, self.network = data, prepare, network


def opens(place, sealed):
    run = place.status("vault-open", "-i", "k", data=sealed)
    return run.returncode == 0 and run.stdout == place.data


def same(name):
    return lambda place, out: out == place.good[name]


def file_is(name, good):
    return lambda place, out: (place.path / name).is_file() and good(place, place.read(name))


def is_plain(place, out):
    run = place.status("vault-seal", "-R", "team.txt", data=out)
    return run.returncode == 0 and opens(place, run.stdout)


def is_key(place, text):
    run = place.status("vault-key", "public", "-", data=text)
    return run.returncode == 0 and run.stdout.startswith(b"age1")


def keys_open(place, *names):
    """How `vault-key` ends for each access key of the space `s`."""
    return [place.status("vault-key", "space", "capture", "--access-key-file", name, "s").returncode
            for name in names]


def passwords_open(place, *names):
    return [place.status("vault-key", "space", "capture", "--password-file", name, "s").returncode
            for name in names]


def new_key_only(place, out):
    return keys_open(place, "new.kek", "access.key") == [0, 77]


def copy_access_space(place):
    place.remove("s")
    place.write("s", place.read("access.space"))


def copy_space(place):
    place.remove("s")
    place.write("s", place.read("space"))


def without(*names):
    def prepare(place):
        for name in names:
            place.remove(name)
    return prepare


def receipt_is_true(place, out):
    lines = [json.loads(line) for line in out.splitlines()]
    stored = place.path / f"put.{ITEM}"
    return (len(lines) == 1 and lines[0]["status"] == "stored" and stored.is_file()
            and stored.read_bytes() == place.read("o"))


WORK = {
    "hash": Work(["vault-hash", "--item", ITEM, "data"], is_plain),
    "hash stdin": Work(["vault-hash", "--item", ITEM], is_plain, data="data"),
    "hash --print": Work(["vault-hash", "--print", "data"], same("sums")),
    "hash --check": Work(["vault-hash", "--check", "sums"], lambda place, out: out == b"data: OK\n"),
    "hash -- COMMAND": Work(["vault-hash", "--item", ITEM, "--", "/bin/cat", "data"],
                            is_plain),
    "seal": Work(["vault-seal", "-R", "team.txt", "plain"], opens),
    "seal space": Work(["vault-seal", "-R", "team.txt", "--space", "access.space",
                        "--access-key-file", "access.key", "plain"], opens),
    "chunk": Work(["vault-chunk", "o"], same("parts")),
    "open": Work(["vault-open", "-i", "k", "o"], same("data")),
    "open -o": Work(["vault-open", "-i", "k", "-o", "out", "o"],
                    file_is("out", lambda place, got: got == place.data), ["out"],
                    prepare=without("out")),
    "open --check": Work(["vault-open", "-i", "k", "--check", "o"],
                         lambda place, out: json.loads(out)["consistent"] is True),
    "key new": Work(["vault-key", "new"], is_key),
    "key new -o": Work(["vault-key", "new", "-o", "out"], file_is("out", is_key), ["out"],
                       prepare=without("out")),
    "space new": Work(["vault-key", "space", "new", "--access-key-file", "access.key", "-o", "out"],
                      file_is("out", lambda place, got: place.status(
                          "vault-key", "space", "capture", "--access-key-file", "access.key",
                          "out").returncode == 0), ["out"], prepare=without("out")),
    # With access keys, so that no password is stretched each time.
    "space passwd": Work(["vault-key", "space", "passwd", "--access-key-file", "access.key",
                          "--new-access-key-file", "new.kek", "s"], new_key_only, ["s"],
                         prepare=copy_access_space),
    "rewrap": Work(["vault-key", "rewrap", "-i", "k", "-R", "others.txt", "receipt"],
                   lambda place, out: json.loads(out)["item"] == ITEM),
    "put": Work(["vault-put", "put.{item}"], receipt_is_true, [f"put.{ITEM}"], data="parts",
                prepare=without(f"put.{ITEM}"), network=True),
    "put --journal": Work(["vault-put", "--journal", "j", "put.{item}"], receipt_is_true,
                          [f"put.{ITEM}", "j"], data="parts",
                          prepare=without(f"put.{ITEM}", "j"), network=True),
    "get": Work(["vault-get", "o"], same("o"), network=True),
    "get --rows": Work(["vault-get", "--rows", "rows"],
                       lambda place, out: out.startswith(b"VAULT\x01b\n") and opens(
                           place, place.run("vault-get", "o")), network=True),
    "drop": Work(["vault-drop", "--rows", "drop.rows"],
                 lambda place, out: json.loads(out)["status"] == "would-drop", network=True),
}


def furnish(place):
    """What the rows need besides the files of the room."""
    place.write("sums", place.run("vault-hash", "--print", "data"))
    row = {"source": "o", "item": ITEM}
    place.write("rows", json.dumps(row).encode() + b"\n")
    place.write("drop.rows", json.dumps(row).encode() + b"\n")
    place.good = {path.name: path.read_bytes() for path in place.path.iterdir() if path.is_file()}


def run(place, row, prepared=False, **more):
    """Runs a row; the outputs of an earlier run are removed."""
    if row.prepare and not prepared:
        row.prepare(place)
    if "stdin" not in more:
        more["data"] = place.read(row.data) if row.data else b""
    return place.status(*row.command, **more)
