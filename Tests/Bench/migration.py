"""migration.py [ROWS [ROUNDS [SMALLEST LARGEST]]]: the same legacy rows on the same servers, migrated in three ways, in turns.
The objects have SMALLEST to LARGEST KiB, 10 to 300 unless said otherwise.

vault-migrate as a user runs it (one worker, whose five stages share the cores), a Python program (boto3, cryptography, 8 threads:
envelope_program.py), and a script that runs `age` and `aws s3 cp` for each row (age_rows.sh, on a hundredth of the
rows). Wants both servers:

    VAULT_TEST_SERVERS=seaweed Tests/servers/with-servers.sh Tests/migration/with-postgres.sh \\
      .build/venv/bin/python Tests/Bench/migration.py

Each is timed as a command, from its start to its end; the script in the first three rounds only. Prints a line of
JSON for each run: name, rows, seconds, rows_per_second, and the seconds of CPU of the contender and of the servers;
then one with the medians and the ratios. The later steps of ours come once, at the end.
"""

import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "migration"))

from bed import ENDPOINT, S3, Document, Migration  # noqa: E402

WORKERS = 1
SCRIPT_ROUNDS = 3
# What the command lines of the servers have that serve here, and no others on this machine.
SERVERS = {"store": f"-s3.port={ENDPOINT.rpartition(':')[2]}", "database": f"\0-p\0{os.environ['PGPORT']}\0"}
COPY = """DROP TABLE IF EXISTS {0}; CREATE TABLE {0} AS SELECT id, storage_key, 's3'::text AS backend,
          (metadata->>'bytes')::bigint AS bytes, metadata->>'sha3_256' AS sha3_256,
          NULL::bytea AS wrapped_dek, NULL::bytea AS sha256, NULL::text AS etag FROM documents ORDER BY storage_key LIMIT {1}; ALTER TABLE {0} ADD PRIMARY KEY (id);"""


def documents(count, smallest, largest):
    chance = random.Random(6)
    pool = chance.randbytes(4 << 20)
    for number in range(count):
        size = chance.randrange(smallest << 10, (largest << 10) + 1)
        at = chance.randrange(len(pool) - size)
        data = pool[at:at + size]
        yield Document(str(uuid.UUID(int=chance.getrandbits(128), version=4)), f"{number:07}.dcm", data, {
            "storage_backend": "s3", "file_name": f"{number}.dcm", "bytes": str(size),
            "sha3_256": hashlib.sha3_256(data).hexdigest()})


def server_cpu():
    """Seconds of CPU that the two servers have used so far, those of their children that ended among them."""
    used = dict.fromkeys(SERVERS, 0)
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace")
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        for name, mark in SERVERS.items():
            if mark in words:
                used[name] += sum(map(int, fields[11:15]))
    return {name: ticks / os.sysconf("SC_CLK_TCK") for name, ticks in used.items()}


def client_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    def __init__(self, count, smallest=10, largest=300):
        self.m = Migration("bench")
        self.documents = list(documents(count, smallest, largest))
        self.m.add(self.documents)
        self.few = max(20, count // 100)
        self.env = {**self.m.env, "AWS_ENDPOINT_URL": ENDPOINT}

    def measure(self, name, rows, run):
        before, spent, begun = server_cpu(), client_cpu(), time.monotonic()
        run()
        seconds = time.monotonic() - begun
        after = server_cpu()
        told = {"name": name, "rows": rows, "seconds": round(seconds, 2),
                "rows_per_second": round(rows / seconds, 1), "cpu": round(client_cpu() - spent, 2)}
        told.update({f"{server}_cpu": round(after[server] - before[server], 2) for server in SERVERS})
        print(json.dumps(told), flush=True)
        return rows / seconds

    def ours(self):
        self.m.sql("TRUNCATE vault_document, vault_attempt, imaging_envelope, vault_bad_line")
        rate = self.measure("vault-migrate", len(self.documents), self.migrate)
        assert self.m.states() == {"stored": len(self.documents)}, self.m.states()
        return rate

    def migrate(self):
        workers = [self.m.start("vault-migrate") for _ in range(WORKERS)]
        ends = [worker.wait() for worker in workers]
        assert not any(ends), (self.m.room / "workers.log").read_text()[-2000:]

    def python(self):
        self.m.sql(COPY.format("python_rows", len(self.documents)))
        return self.measure("python", len(self.documents), lambda: self.run(
            sys.executable, HERE / "envelope_program.py", self.m.legacy, self.m.imaging, "python_rows"))

    def script(self):
        self.m.sql(COPY.format("age_rows", self.few))
        return self.measure("age-aws", self.few, lambda: self.run(
            HERE / "age_rows.sh", self.m.legacy, self.m.imaging, "age_rows",
            self.m.team.read_text().strip()))

    def run(self, *command):
        subprocess.run(command, env=self.env, stdout=subprocess.DEVNULL, check=True)

    def empty(self):
        """The disk is not the bench's to keep."""
        keys = sorted(self.m.keys(self.m.imaging))
        for at in range(0, len(keys), 1000):
            S3.delete_objects(Bucket=self.m.imaging, Delete={
                "Quiet": True, "Objects": [{"Key": key} for key in keys[at:at + 1000]]})

    def later_steps(self):
        for recipe, options in (("vault-verify", ()), ("vault-switch", ()),
                                ("vault-retire", ("--older-than", "0s", "--yes"))):
            self.measure(recipe, len(self.documents),
                         lambda recipe=recipe, options=options: self.m.good(recipe, *options))


def main(count=2000, rounds=3, *sizes):
    bench = Bench(count, *sizes)
    contenders = {"vault-migrate": bench.ours, "python": bench.python}
    if shutil.which("age") and shutil.which("aws"):
        contenders["age-aws"] = bench.script
    rates = {name: [] for name in contenders}
    for number in range(rounds):
        # The script takes as long as both others together, and is nowhere near them.
        turns = [name for name in contenders if name != "age-aws" or number < SCRIPT_ROUNDS]
        for name in turns[::1 if number % 2 else -1]:
            bench.empty()
            rates[name].append(contenders[name]())
    middle = {name: statistics.median(found) for name, found in rates.items()}
    print(json.dumps({
        "name": "ratios", "rounds": rounds, "cores": os.cpu_count(), "workers": WORKERS,
        "load": round(os.getloadavg()[0], 1), "bytes": sum(len(d.data) for d in bench.documents),
        **{f"over_{name}": round(middle["vault-migrate"] / rate, 2)
           for name, rate in middle.items() if name != "vault-migrate"}}), flush=True)
    bench.empty()
    bench.ours()
    bench.later_steps()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
