"""A kill of one stage of a pipeline at one place of its input."""

import pathlib

from outcome import NONE, Outcome, exit_codes, first_cause
from pipeline import Pipeline, sleeps, until
from streams import STAGES


class StageCase:
    def __init__(self, streams, shape, stage, way, spot):
        self.streams, self.shape, self.stage, self.way, self.spot = streams, shape, stage, way, spot

    def name(self, place):
        return f"{place}: {self.way} of {self.stage} {self.spot} ({self.shape.name})"

    def run(self, room, place):
        """Returns complaints, what it came to, and how many kills were made."""
        self.room, self.place = pathlib.Path(room), place
        self.journal, self.receipts = str(self.room / "journal"), str(self.room / "receipts")
        self.pid_file = self.room / "pid"
        pipeline = self.start()
        try:
            made = self.strike(pipeline)
            codes = pipeline.wait()
        finally:
            pipeline.clean()
        return self.judge(codes, made)

    def start(self):
        commands = dict(self.shape.commands)
        commands["put"] = ["vault-put", "--journal", self.journal, self.place.destination]
        if self.stage == "producer":
            commands["hash"] = ["vault-hash", "--", "sh", "-c", f"echo $$ >'{self.pid_file}'; exec cat"]
        gated = max(0, STAGES.index(self.stage) if self.stage in STAGES else 0)
        return Pipeline([commands[stage] for stage in STAGES], gated, self.shape.inputs["hash"],
                        self.receipts, self.place.environment)

    def strike(self, pipeline):
        limit = self.shape.spots[self.stage][self.spot]
        pid = self.find(pipeline)
        pipeline.gate.feed(limit)
        if limit is None:
            pipeline.gate.end()
        else:
            pipeline.settle(pid)
        alive = self.is_alive(pipeline)
        pipeline.strike(pid, self.way)
        if alive and self.stage in STAGES:
            pipeline.processes[STAGES.index(self.stage)].wait(60)
        pipeline.gate.close()
        return alive

    def find(self, pipeline):
        if self.stage in STAGES:
            return pipeline.processes[STAGES.index(self.stage)].pid
        until(lambda: self.pid_file.exists() and self.pid_file.read_text().strip(), "no producer")
        pid = int(self.pid_file.read_text())
        comm = pathlib.Path(f"/proc/{pid}/comm")
        until(lambda: comm.read_text().strip() == "cat" and sleeps(pid), "no producer")
        return pid

    def is_alive(self, pipeline):
        return (self.stage not in STAGES
                or pipeline.processes[STAGES.index(self.stage)].poll() is None)

    def judge(self, codes, made):
        journal = pathlib.Path(self.journal)
        if not journal.exists():
            journal.touch()
        outcome = Outcome(self.place, self.journal, self.receipts, self.streams.key,
                          self.shape.contents)
        put_died = self.stage == "put" and self.way != "TERM"
        outcome.judge(put_died)
        whole = NONE not in outcome.came
        raced = self.shape.spots[self.stage][self.spot] is None and 0 in codes
        if made and not raced:
            outcome.complaints += exit_codes(self.stage, self.way, STAGES, codes, whole)
            if not put_died:
                outcome.complaints += first_cause(self.stage, self.way, STAGES, outcome.receipts)
        return outcome.complaints, outcome.came, int(made)
