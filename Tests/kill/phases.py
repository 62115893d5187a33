"""vault-put is struck while a request of its own is under way: the proxy holds the request before the
server has acted on it, or the server's answer."""

import pathlib
import signal
import subprocess

from holds import PATIENCE, Hold, proxy
from outcome import Outcome
from pipeline import Stuck
from streams import ENVIRONMENT


DENIAL = {"match": "Abort", "action": "status", "status": 403, "code": "AccessDenied", "count": 0}


class PhaseCase:
    """`late`: the held request reaches the server while vault-put takes its upload back; `denied`: it
    may not take uploads back."""

    def __init__(self, streams, shape, upstream, kind, moment, way, late=False, denied=False):
        self.streams, self.shape, self.upstream = streams, shape, upstream
        self.kind, self.moment, self.way, self.late = kind, moment, way, late
        self.denied = denied

    def name(self, place):
        when = "before the server acts on" if self.moment == "before" else "before the answer of"
        late = ", which comes late" if self.late else ", with no right to abort" if self.denied else ""
        return f"{place}: {self.way} of put {when} {self.kind}{late}"

    def run(self, room, place):
        self.journal, self.receipts = str(pathlib.Path(room) / "journal"), pathlib.Path(room) / "receipts"
        hold = Hold(self.kind, self.moment, nth=2 if self.kind == "UploadPart" else 1)
        abort = Hold("Abort", "before")
        server = proxy(self.upstream, hold, *([abort] if self.late else []),
                       rules=[DENIAL] if self.denied else [])
        process = self.start(server, place)
        try:
            if not hold.held.wait(PATIENCE):
                raise Stuck(f"no {self.kind} came")
            self.strike(process, hold, abort)
            code = process.wait(PATIENCE)
        finally:
            hold.release.set()
            abort.release.set()
            if process.poll() is None:
                process.kill()
                process.wait()
        hold.acted.wait(PATIENCE)
        server.close()
        return self.judge(code, place)

    def start(self, server, place):
        with open(self.shape.inputs["put"], "rb") as parts, open(self.receipts, "ab") as receipts:
            return subprocess.Popen(
                ["vault-put", "--journal", self.journal, place.destination], stdin=parts,
                stdout=receipts, stderr=subprocess.DEVNULL,
                env={**ENVIRONMENT, "AWS_ENDPOINT_URL_S3": server.url})

    def strike(self, process, hold, abort):
        process.send_signal(signal.SIGSTOP if self.way == "STOP" else getattr(signal, f"SIG{self.way}"))
        if self.late:
            if not abort.held.wait(PATIENCE):
                raise Stuck("no Abort came")
            hold.release.set()
            hold.acted.wait(PATIENCE)
            abort.release.set()
        if self.way == "STOP":
            hold.release.set()
            hold.acted.wait(PATIENCE)
            process.kill()

    def judge(self, code, place):
        outcome = Outcome(place, self.journal, self.receipts, self.streams.key, self.shape.contents)
        broken_off = self.moment == "before" and self.kind in ("Create", "PutObject")
        outcome.judge(needs_sweep=self.way != "TERM" or broken_off or self.denied)
        expected = -signal.SIGTERM if self.way == "TERM" else -signal.SIGKILL
        outcome.require(code == expected, f"vault-put exits {code}")
        if self.way == "TERM":
            outcome.require(len(outcome.receipts) == 1, f"{len(outcome.receipts)} receipts after TERM")
            outcome.require(all(r["status"] in ("stored", "cancelled", "unknown")
                                for r in outcome.receipts), "a receipt of another status")
        return outcome.complaints, outcome.came, 1


MOMENTS = [("Create", "before"), ("Create", "after"), ("UploadPart", "before"),
           ("UploadPart", "after"), ("Complete", "before"), ("Complete", "after")]
WHOLE_MOMENTS = [("PutObject", "before"), ("PutObject", "after")]
