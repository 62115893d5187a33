"""What the tests of the migration share: a database and two buckets of a scenario, its documents,
the recipes as processes, and the questions that are asked at the end.
"""

import atexit
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

ROOT = pathlib.Path(__file__).resolve().parents[2]
SQL = ROOT / "bin/sql"
ENDPOINT = os.environ["VAULT_TEST_SEAWEED"]
S3 = boto3.client("s3", endpoint_url=ENDPOINT,
                  config=Config(s3={"addressing_style": "path"}, max_pool_connections=32))
TABLE = """CREATE TABLE documents (id uuid PRIMARY KEY, storage_key text, upload_status text NOT NULL,
           metadata jsonb NOT NULL)"""


@dataclasses.dataclass
class Document:
    id: str
    key: str | None
    data: bytes | None
    metadata: dict
    good: bool = True
    why: str = ""
    status: str = "completed"


@dataclasses.dataclass
class Outcome:
    status: int
    out: str
    err: str


class Migration:
    """One scenario: a database, a legacy bucket, a target bucket, keys."""

    def __init__(self, name, encoding="UTF8"):
        self.name = f"{name}-{uuid.uuid4().hex[:6]}"
        self.database = self.name.replace("-", "_")
        self.legacy, self.imaging = f"legacy-{self.name}", f"imaging-{self.name}"
        self.room = pathlib.Path(tempfile.mkdtemp(prefix=f"vault-migration-{name}."))
        atexit.register(shutil.rmtree, self.room, ignore_errors=True)
        run("psql", "-X", "-q", "-c", f"CREATE DATABASE {self.database} ENCODING '{encoding}' "
            "TEMPLATE template0")
        for bucket in (self.legacy, self.imaging):
            S3.create_bucket(Bucket=bucket)
        self.key, self.team = self.room / "team.key", self.room / "team.txt"
        run("vault-key", "new", "-o", str(self.key), env=self.env)
        self.team.write_text(run("vault-key", "public", str(self.key), env=self.env).out)
        self.sql(TABLE)
        self.install()

    @property
    def env(self):
        kept = {n: v for n, v in os.environ.items() if not n.startswith("VAULT_")}
        return {**kept, "PATH": f"{ROOT}/bin:{kept['PATH']}", "PGDATABASE": self.database,
                "AWS_ENDPOINT_URL": ENDPOINT, "TMPDIR": str(self.room)}

    def install(self):
        for file in ("schema", "application", "functions"):
            done = run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", f"bucket={self.legacy}",
                       "-f", str(SQL / f"{file}.sql"), env=self.env)
            assert done.status == 0, done.err

    # The database.

    def sql(self, text, **values):
        """The rows as lists of strings; values are psql variables."""
        sets = [word for name, value in values.items() for word in ("-v", f"{name}={value}")]
        done = run("psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e", "-v",
                   "ON_ERROR_STOP=1", *sets, "-f", "-", data=f"SET search_path=vault,public;{text}",
                   env=self.env)
        assert done.status == 0, f"{text}: {done.err}"
        return [row.split("\x1f") for row in done.out.rstrip("\n").split("\x1e") if row]

    def value(self, text, **values):
        rows = self.sql(text, **values)
        return rows[0][0] if rows else None

    def add(self, documents):
        """Puts the objects and then the rows."""
        for d in documents:
            if d.data is not None:
                self.put(d)
        lines = "\n".join(json.dumps([d.id, d.key, d.status, d.metadata]) for d in documents)
        file = self.room / f"documents.{uuid.uuid4().hex}"
        file.write_text(lines + "\n")
        self.sql("CREATE TEMP TABLE l (line text);\n"
                 f"\\copy l FROM '{file}' (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')\n"
                 "INSERT INTO documents SELECT (line::jsonb->>0)::uuid, line::jsonb->>1, "
                 "line::jsonb->>2, line::jsonb->3 FROM l;")

    def put(self, document):
        S3.put_object(Bucket=self.legacy, Key=document.key, Body=document.data)

    @contextlib.contextmanager
    def held(self, table):
        """Nobody else writes to the table meanwhile; what tries to waits."""
        with subprocess.Popen(["psql", "-X", "-q", "-A", "-t"], env=self.env, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as holder:
            print(f"BEGIN; LOCK TABLE vault.{table} IN EXCLUSIVE MODE; SELECT 1;", file=holder.stdin, flush=True)
            assert holder.stdout.readline() == "1\n"
            yield
            holder.stdin.close()

    def states(self):
        return {state: int(count) for state, count in
                self.sql("SELECT state, count(*) FROM vault_document GROUP BY 1")}

    def recorded(self):
        """How many documents have come to an end, well or not."""
        return int(self.value("SELECT count(*) FROM vault_document "
                              "WHERE state NOT IN ('pending', 'claimed')"))

    # The recipes.

    def command(self, recipe, *options):
        more = {"vault-migrate": ["--to", f"s3://{self.imaging}/{{item}}", "-R", str(self.team),
                                  "--work", str(self.room / "work")],
                "vault-verify": ["-i", str(self.key)]}.get(recipe, [])
        return [str(ROOT / "bin" / recipe), *more, *options]

    def run(self, recipe, *options):
        return run(*self.command(recipe, *options), env=self.env)

    def good(self, recipe, *options, status=0):
        done = self.run(recipe, *options)
        assert done.status == status, f"{recipe} ended with {done.status}: {done.err}"
        return done

    def start(self, recipe, *options, log=None):
        """A worker in a process group of its own."""
        with open(log or self.room / "workers.log", "ab") as out:
            return subprocess.Popen(self.command(recipe, *options), env=self.env, stdout=out,
                                    stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)

    # The buckets.

    def keys(self, bucket):
        pages = S3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return {entry["Key"] for page in pages for entry in page.get("Contents", [])}

    def uploads(self):
        return S3.list_multipart_uploads(Bucket=self.imaging).get("Uploads", [])

    def listed(self):
        """Every object that the database says is there or may be there."""
        rows = self.sql("SELECT object_key FROM imaging_envelope WHERE superseded_at IS NULL "
                        "UNION SELECT vault_key(object) FROM vault_superseded")
        return {row[0] for row in rows}

    def fetch(self, document):
        """What the application serves: by the documents table, as it is now."""
        kind, key = self.sql("SELECT metadata->>'storage_backend', storage_key FROM documents "
                             "WHERE id = :'id'", id=document)[0]
        if kind == "s3":
            return S3.get_object(Bucket=self.legacy, Key=key)["Body"].read()
        return self.opened(key)

    def opened(self, key):
        with subprocess.Popen([str(ROOT / "bin/vault-get"), f"s3://{self.imaging}/{key}"],
                              stdout=subprocess.PIPE, env=self.env) as get:
            done = subprocess.run([str(ROOT / "bin/vault-open"), "-i", str(self.key)], env=self.env,
                                  stdin=get.stdout, capture_output=True, check=False)
        assert done.returncode == 0, f"{key}: {done.stderr.decode()}"
        return done.stdout


def run(*command, data="", env=None):
    environment = env or os.environ
    done = subprocess.run(command, input=data.encode(), capture_output=True, check=False,
                          env=environment, timeout=600)
    return Outcome(done.returncode, done.stdout.decode("utf-8", "surrogateescape"),
                   done.stderr.decode("utf-8", "replace"))


def kill_group(process):
    """SIGKILL to all that a worker started, as when a machine goes away."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def exists(bucket, key):
    try:
        S3.head_object(Bucket=bucket, Key=key)
        return True
    except ClientError as error:
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 404, error
        return False


NAMES = ["plain.dcm", "with space .dcm", "Ünïcödé-日本.dcm", "a'quote\".dcm", "back\\slash\\n.dcm",
         "tab\tand\nline\r.dcm", "\\.", "\\N", "%41%2F?x=1&y#z", "a//b/../c", "{item}", "$(id)`id`",
         "😀\u200f.dcm", "-rf", "\\u0000", "x" * 700]


# SeaweedFS takes a backslash in a key for a slash, and no empty or `..` parts: names stay hostile.
UNLIKED = {ord("\\"): "|", ord("."): ","}


def make_documents(count, seed, large=0, bad=0.01, largest=300 << 10):
    """`count` documents with sizes from 0 to `largest`, of which `large` have 12 to 40 MB and `bad`
    of all are missing, wrong or NULL."""
    chance = random.Random(seed)
    pool = chance.randbytes(40_000_000 if large else max(largest, 1) + 4096)
    documents = []
    for number in range(count):
        name = NAMES[number % len(NAMES)]
        size = chance.choice([0, 1, chance.randrange(2000), chance.randrange(largest + 1)])
        if number < large:
            size = chance.randrange(12_000_000, 40_000_000)
        at = chance.randrange(len(pool) - size + 1)
        data = pool[at:at + size]
        metadata = {"storage_backend": "s3", "file_name": name, "bytes": str(size),
                    "media_type": "application/dicom", "sha3_256": hashlib.sha3_256(data).hexdigest()}
        if number % 3 == 0:
            del metadata["bytes"]
        if number % 5 == 0:
            metadata["sha3_256"] = metadata["file_name"] = None
        key = f"{number:06}/{name[:200]}".translate(UNLIKED).replace("//", "/")
        documents.append(Document(str(uuid.UUID(int=chance.getrandbits(128), version=4)), key, data,
                                  metadata))
    for kind, number in enumerate(chance.sample(range(large, count), round(count * bad))):
        spoil(documents[number], kind % 4)
    return documents


def spoil(d, kind):
    d.good = False
    if kind == 0:
        d.data, d.why = None, "missing-object"
    elif kind == 1:
        d.key = d.data = None
        d.why = "bad-row"
    elif kind == 2:
        d.metadata["bytes"] = str(len(d.data) + 1)
        d.why = "size-mismatch"
    else:
        d.metadata["sha3_256"] = "00" * 32
        d.why = "digest-mismatch"


class Reader(threading.Thread):
    """Fetches documents by the documents table all the time, and counts what does not come right."""

    def __init__(self, migration, documents, seed=1):
        super().__init__(daemon=True)
        self.migration = migration
        self.documents = [d for d in documents if d.good and len(d.data) < 1 << 20]
        self.chance = random.Random(seed)
        self.over = threading.Event()
        self.reads, self.failures = 0, []

    def run(self):
        while not self.over.is_set():
            d = self.chance.choice(self.documents)
            try:
                if self.migration.fetch(d.id) != d.data:
                    self.failures.append(f"{d.id}: other bytes")
            except (AssertionError, ClientError, IndexError, ValueError) as error:
                self.failures.append(f"{d.id}: {error}")
            self.reads += 1
            time.sleep(0.02)

    def stop(self):
        self.over.set()
        self.join()
        return self.reads, self.failures
