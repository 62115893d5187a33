"""test_spark.py: docs/examples/spark on a cluster of two workers, one of whose executors is killed on the way.

Wants Java, and pyspark in .build/spark (Tests/venv.sh spark).
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import boto3
from botocore.config import Config

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPARK = ROOT / "docs/examples/spark"
PYTHON = ROOT / ".build/spark/bin/python"
S3 = boto3.client("s3", endpoint_url=os.environ["VAULT_TEST_SEAWEED"],
                  config=Config(s3={"addressing_style": "path"}))
MASTER = ("--master local-cluster[2,1,1024] --conf spark.ui.enabled=false "
          "--conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 pyspark-shell")
SECRETS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
MISSING = 7  # the row without an object


def words(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def above(pid):
    """The process, its parent, and so on."""
    while pid > 1:
        yield pid
        try:
            pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return


def executors_at_work(attempts):
    """The executors of attempts that have stored something and are not done."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        line = words(entry.name)
        if "vault-put" not in line[0:1] or "--journal" not in line:
            continue
        journal = pathlib.Path(line[line.index("--journal") + 1])
        if journal.parent != attempts or b'"stored"' not in journal.with_suffix("").read_bytes():
            continue
        for pid in above(int(entry.name)):
            if any("CoarseGrainedExecutorBackend" in word for word in words(pid)):
                yield pid
                break


class Case:
    def __init__(self, room, rows, partitions, size):
        self.room, self.rows, self.partitions = room, rows, partitions
        mark = uuid.uuid4().hex[:6]
        self.legacy, self.imaging = f"spark-legacy-{mark}", f"spark-imaging-{mark}"
        self.attempts = room / "attempts"
        self.attempts.mkdir()
        for bucket in (self.legacy, self.imaging):
            S3.create_bucket(Bucket=bucket)
        for number in range(rows):
            if number != MISSING:
                S3.put_object(Bucket=self.legacy, Key=f"k\u2028{number}", Body=b"x" * (number * size))
        (room / "rows").write_text("".join(
            json.dumps({"row": number, "source": f"s3://{self.legacy}/k\u2028{number}"},
                       separators=(",", ":")) + "\n" for number in range(rows)))
        (room / "credentials").write_text("[default]\n" + "".join(
            f"{name.lower()}={os.environ[name]}\n" for name in SECRETS))
        subprocess.run(["sh", "-c", "vault-key new -o key && vault-key public key >team"], cwd=room,
                       env=self.env, check=True)

    @property
    def env(self):
        kept = {n: v for n, v in os.environ.items() if n not in SECRETS and n != "SPARK_HOME"}
        return {**kept, "PATH": f"{ROOT}/bin:{kept['PATH']}", "PYSPARK_SUBMIT_ARGS": MASTER,
                "AWS_ENDPOINT_URL": os.environ["VAULT_TEST_SEAWEED"], "SPARK_LOCAL_IP": "127.0.0.1",
                "AWS_SHARED_CREDENTIALS_FILE": str(self.room / "credentials"),
                "PYSPARK_PYTHON": str(PYTHON), "TMPDIR": str(self.room),
                "SPARK_WORKER_DIR": str(self.room / "worker")}

    def start(self, *more):
        files = [word for name in ("rows", "team", "attempts", "receipts", "superseded")
                 for word in (f"--{name}", str(self.room / name))]
        with open(self.room / "log", "ab") as log:
            return subprocess.Popen(
                [str(PYTHON), str(SPARK / "seal_rows.py"), *files, "--to", f"s3://{self.imaging}/{{item}}",
                 "--partitions", str(self.partitions), *more], env=self.env, stdout=log, stderr=log,
                cwd=self.room)

    def run(self, kills):
        driver, killed = self.start(), 0
        while driver.poll() is None:
            if killed < kills:
                for pid in list(executors_at_work(self.attempts))[:1]:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            time.sleep(0.05)
        said = (self.room / "log").read_text(errors="replace")
        assert killed == kills, f"{killed} executors were killed: {said[-3000:]}"
        self.check(driver.returncode, said)

    def lines(self, name):
        return [json.loads(line) for line in (self.room / name).read_text().split("\n") if line]

    def check(self, status, said):
        assert status == 1, f"{status}: {said[-3000:]}"  # one row has no object, on purpose
        receipts, others = self.lines("receipts"), self.lines("superseded")
        assert [r["row"]["row"] for r in receipts] == list(range(self.rows)), "a receipt for each row"
        bad = [(r["row"]["row"], r["error"]) for r in receipts if r["status"] != "stored"]
        assert [number for number, _ in bad] == [MISSING], bad
        there = {entry["Key"] for page in S3.get_paginator("list_objects_v2").paginate(Bucket=self.imaging)
                 for entry in page.get("Contents", [])}
        counted = {r["item"] for r in receipts if r["status"] == "stored"}
        listed = {r["item"] for r in others}
        assert not counted & listed, "a receipt that counts is listed as superseded"
        assert counted <= there, "a receipt without an object"
        assert there <= counted | listed, f"objects that no list has: {there - counted - listed}"
        secret = os.environ["AWS_SECRET_ACCESS_KEY"]
        assert secret not in said and not any(secret in p.read_text(errors="replace")
                                              for p in self.attempts.iterdir()), "the secret is told"
        self.superseded = len(listed & there)


def an_executor_is_killed(room):
    case = Case(room, rows=160, partitions=8, size=1999)
    case.run(kills=1)
    assert case.superseded, "the executor had stored nothing: it was not in the middle"
    # Once more, from what is on the disk alone: what counted still counts.
    before = case.lines("receipts")
    assert case.start().wait() == 73, "receipts that somebody may have read were written over"
    status = case.start("--settle").wait()
    case.check(status, (room / "log").read_text(errors="replace"))
    assert case.lines("receipts") == before, "another receipt counts now"
    # Without these either choice is good, and all that was stored is listed.
    (room / "receipts").unlink()
    case.check(case.start("--settle").wait(), (room / "log").read_text(errors="replace"))
    return f"{case.superseded} objects superseded"


def most_partitions_are_empty(room):
    case = Case(room, rows=9, partitions=14, size=997)
    case.run(kills=0)
    assert case.superseded == 0
    return "9 rows in 14 partitions"


def main():
    assert os.access(PYTHON, os.X_OK), f"{PYTHON} is missing: Tests/venv.sh spark"
    assert shutil.which("java"), "there is no Java: Tests/needs.sh test"
    failed = 0
    for test in (an_executor_is_killed, most_partitions_are_empty):
        room = pathlib.Path(tempfile.mkdtemp(prefix="vault-spark."))
        begun = time.monotonic()
        try:
            print(f"ok {test.__name__}: {test(room)}, {time.monotonic() - begun:.0f} s", flush=True)
        except AssertionError as error:
            print(f"failed {test.__name__}: {error}", flush=True)
            failed += 1
        shutil.rmtree(room, ignore_errors=True)
    print(f"{2 - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
