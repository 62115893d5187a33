"""The question for a password at a terminal of its own: K09, and who sees what is typed."""

import os
import pty
import select
import signal
import termios
import time

import room


class Typist:
    """A tool, or a shell with job control, at a fresh terminal."""

    def __init__(self, place, *command):
        self.seen = self.rest = b""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(place.path)
            os.execvpe(command[0], command, place.env)

    def until(self, text, seconds=20):
        """Reads until the text has come after that of the last call; what follows it is kept for the next."""
        before = time.monotonic() + seconds
        while text not in self.rest and time.monotonic() < before:
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(self.terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            self.seen += piece
            self.rest += piece
        _, found, self.rest = self.rest.partition(text)
        return bool(found)

    def type(self, text):
        os.write(self.terminal, text)

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ECHO)

    def end(self):
        """The exit code, or the signal below zero; the terminal is kept open for a look."""
        self.until(b"\0never\0", 0.3)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


OPEN = ["vault-open", "--space", "space", "-o", "/dev/null", "space.vault"]
CAPTURE = ["vault-key", "space", "capture", "space"]


def checks(place):
    yield from answers(place)
    yield from ends(place)
    yield from stopped(place)
    yield from new(place)
    yield from readme(place)


def answers(place):
    typist = Typist(place, *CAPTURE)
    asked = typist.until(b'password for "space": ')
    yield "terminal: the password is asked for", asked
    yield "terminal: the echo is off while it is typed", not typist.echoes
    typist.type(room.PASSWORD + b"\n")
    yield "terminal: the password opens the space", typist.until(b"age1") and typist.end() == 0
    yield "terminal: what is typed is never shown", room.PASSWORD not in typist.seen
    yield "terminal: the echo is back", typist.echoes
    typist = Typist(place, *CAPTURE)
    typist.until(b"password for")
    typist.type(room.OTHER + b"\n")
    yield "terminal: a wrong password is 77", typist.end() == 77 and typist.echoes
    typist = Typist(place, *CAPTURE)
    typist.until(b"password for")
    typist.type(b"\n")
    yield "terminal: an empty password is 78", typist.end() == 78 and typist.echoes


def ends(place):
    for name, act, number in (("^C", b"\x03", signal.SIGINT), ("^\\", b"\x1c", signal.SIGQUIT),
                              ("TERM", signal.SIGTERM, signal.SIGTERM),
                              ("HUP", signal.SIGHUP, signal.SIGHUP)):
        typist = Typist(place, *CAPTURE)
        typist.until(b"password for")
        hidden = not typist.echoes
        typist.type(act) if isinstance(act, bytes) else os.kill(typist.child, act)
        ended = typist.end()
        yield f"terminal: K09 {name} ends it by the signal and the echo is back", (
            hidden and ended == -number and typist.echoes)


def stopped(place):
    script = ("set -m; vault-key space capture space; echo stopped; stty -a | grep -o ' echo '; "
              "fg >/dev/null; echo done")
    typist = Typist(place, "bash", "-c", script)
    typist.until(b"password for")
    typist.type(b"\x1a")
    yield "terminal: K09 ^Z gives the shell its echo back", typist.until(b" echo ")
    asked = typist.until(b"password for")
    yield "terminal: after fg it asks again, and hides again", asked and not typist.echoes
    typist.type(room.PASSWORD + b"\n")
    yield "terminal: and then opens", typist.until(b"done") and b"age1" in typist.seen
    typist.end()
    yield "terminal: and the echo is back", typist.echoes and room.PASSWORD not in typist.seen


def new(place):
    typist = Typist(place, "vault-key", "space", "new", "-o", "typed")
    typist.until(b"new password for")
    typist.type(room.OTHER + b"\n")
    again = typist.until(b"the same again: ")
    typist.type(room.OTHER + b"\n")
    yield "terminal: a new password is asked for twice", again and typist.end() == 0
    done = place.status("vault-key", "space", "capture", "--password-file", "other-password", "typed")
    yield "terminal: and is the one of the space", done.returncode == 0
    typist = Typist(place, "vault-key", "space", "new", "-o", "differ")
    typist.until(b"new password for")
    typist.type(b"one\n")
    typist.until(b"the same again: ")
    typist.type(b"two\n")
    yield "terminal: two that differ are 78 and leave no file", (
        typist.end() == 78 and not (place.path / "differ").exists() and typist.echoes)
    done = place.status("setsid", "-w", "vault-key", "space", "new", "-o", "none")
    yield "terminal: K07 no terminal is said at once", (
        done.returncode == 78 and b"no terminal" in done.stderr)


def examples(section):
    text = (room.ROOT / "README.md").read_text().split(f"\n## {section}\n")[1].split("\n## ")[0]
    return [line[4:] for line in text.splitlines() if line.startswith("    ")]


def readme(place):
    """The lines of the README on keys, pasted, with those before them that make what they need."""
    store = [line for line in examples("Store it") if "store" in line or "receipt.json" in line][:3]
    lines = ["set -eu -o pipefail", "mkdir readme", "cd readme", *examples("A first object"), *store,
             "cp receipt.json receipts.jsonl", *examples("Keys for a team"),
             "! cmp -s receipts.jsonl new.jsonl", "echo all pasted"]
    place.write("readme.sh", "\n".join(lines).encode() + b"\n")
    typist = Typist(place, "bash", "readme.sh")
    asked = [typist.until(question) and typist.type(room.OTHER + b"\n") is None
             for question in (b"new password for", b"the same again: ", *[b"password for"] * 3)]
    typist.until(b"all pasted")
    ended = typist.end()
    if ended:
        print(typist.seen.decode())
    yield "terminal: the lines of the README on keys work when they are pasted", (
        all(asked) and ended == 0 and typist.seen.count(b"\nsame\r") + typist.seen.startswith(b"same") == 2)
    yield "terminal: and the password is in none of what they made", not [
        file for file in (place.path / "readme").rglob("*")
        if file.is_file() and room.OTHER in file.read_bytes()]
