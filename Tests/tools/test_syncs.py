"""test_syncs.py: what is on the disk when. vault-put with many threads that share their syncs, into a
directory, with every write, sync and link seen by strace: an object appears only after a sync of the journal that
began when the line that announces it was written, and a line that says "ended" is written only after a sync
of its receipt.
"""

import json
import re
import subprocess
import sys

from room import Room, clean_environment, run_all

LINE = re.compile(r"^(?P<pid>\d+) +(?P<rest>.*)$")
CALL = re.compile(r"^(?P<name>\w+)\((?P<words>.*)$", re.S)
CALLS = "write,pwrite64,fsync,fdatasync,linkat,renameat2"


def calls(trace):
    """(name, its arguments as strace shows them, when it began, when it had ended) of each call."""
    open_ones, found = {}, []
    for place, line in enumerate(trace.splitlines()):
        pid, rest = LINE.match(line).group("pid", "rest")
        if rest.startswith("<... "):
            name, words, begun = open_ones.pop(pid)
            found.append((name, words, begun, place))
        elif call := CALL.match(rest):
            name, words = call.group("name", "words")
            if words.endswith("<unfinished ...>"):
                open_ones[pid] = name, words, place
            else:
                found.append((name, words, place, place))
    return found


class Trace:
    def __init__(self, room, items, jobs):
        self.place = room.directory()
        rows = []
        for number in range(items):
            (self.place / f"{number}.dcm").write_bytes(room.data(2000, number))
            rows.append(json.dumps({"source": f"{number}.dcm"}))
        parts = self.run("vault-get --as plain --rows - | vault-hash --framed | "
                         f"vault-seal -r {room.recipient} | vault-chunk", "\n".join(rows) + "\n")
        (self.place / "parts").write_bytes(parts)
        self.run(f"strace -f -qq -y -s 65536 -o trace --trace={CALLS} vault-put --jobs {jobs} "
                 "--make-directories --journal journal 'store/{item}' <parts >receipts")
        self.calls = calls((self.place / "trace").read_text(errors="replace"))
        self.items = [json.loads(line)["item"]
                      for line in (self.place / "receipts").read_text().splitlines()]

    def run(self, command, data=""):
        done = subprocess.run(["sh", "-c", command], cwd=self.place, env=clean_environment(),
                              input=data.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def syncs(self, file):
        return [(begun, ended) for name, words, begun, ended in self.calls
                if name in ("fsync", "fdatasync") and f"/{file}>" in words]

    def one(self, names, *marks):
        """When the only such call began and had ended."""
        found = [(begun, ended) for name, words, begun, ended in self.calls
                 if name in names and all(mark in words for mark in marks)]
        assert len(found) == 1, f"{len(found)} calls of {names} with {marks}"
        return found[0]

    def line(self, file, *marks):
        return self.one(("write", "pwrite64"), f"/{file}>", *(mark.replace('"', '\\"') for mark in marks))


def is_between(syncs, after, before):
    return any(after < begun and ended < before for begun, ended in syncs)


class Tests:
    def __init__(self, room):
        self.room = room

    def check(self, jobs):
        trace = Trace(self.room, 40, jobs)
        assert len(trace.items) == 40
        journal, receipts = trace.syncs("journal"), trace.syncs("receipts")
        for item in trace.items:
            appears = trace.one(("linkat", "renameat2"), item)[0]
            written = trace.line("journal", '"event":"commit"', item)[1]
            assert is_between(journal, written, appears), f"{item} appeared before its line was synced"
            printed = trace.line("receipts", f'"item":"{item}"')[1]
            token = next(json.loads(line)["token"] for line in self.lines(trace, "journal")
                         if item in line)
            ended = trace.line("journal", '"event":"end"', token)[0]
            assert is_between(receipts, printed, ended), f"{item} ended before its receipt was synced"
        print(f"  {jobs} jobs: {len(journal)} syncs of the journal, {len(receipts)} of the receipts")

    def lines(self, trace, file):
        return (trace.place / file).read_text().splitlines()

    def test_one_job_syncs_before_what_cannot_be_undone(self):
        self.check(1)

    def test_jobs_that_share_a_sync_do_too(self):
        self.check(16)


def main():
    room = Room()
    try:
        tests = Tests(room)
        return run_all([(name, getattr(tests, name)) for name in dir(tests) if name.startswith("test_")])
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
