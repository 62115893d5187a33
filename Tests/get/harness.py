"""What the tests of vault-get share: the built tools, keys, sealed objects and a server with faults."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/faults"))

from fault_server import Server  # noqa: E402

TOOLS = os.environ.get("VAULT_TOOLS", f"{ROOT}/bin")
BUCKET = "vault-test"


def environment(url=None):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    clean |= {"PATH": f"{TOOLS}:{os.environ['PATH']}", "AWS_ACCESS_KEY_ID": "testkey",
              "AWS_SECRET_ACCESS_KEY": "testsecretkey0123456789", "AWS_REGION": "us-east-1",
              "LC_ALL": "C"}
    return clean | ({"AWS_ENDPOINT_URL_S3": url} if url else {})


def run(*command, stdin=None, cwd=None, env=None, timeout=60, fds=()):
    return subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=cwd, env=env or environment(), timeout=timeout, check=False,
                          pass_fds=fds)


def pipe(*commands, stdin=None, cwd=None, env=None):
    """Runs a pipeline; returns the statuses, the output, and what each said."""
    env, stages, source = env or environment(), [], tempfile.TemporaryFile()
    source.write(stdin or b"")
    source.seek(0)
    errors = [tempfile.TemporaryFile() for _ in commands]
    for command, error in zip(commands, errors):
        stage = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=error,
                                 cwd=cwd, env=env)
        if stages:
            stages[-1].stdout.close()
        stages.append(stage)
        source = stage.stdout
    out = stages[-1].stdout.read()
    statuses = [stage.wait(timeout=60) for stage in stages]
    said = []
    for error in errors:
        error.seek(0)
        said.append(error.read().decode())
    return statuses, out, said


class RoomTest(unittest.TestCase):
    """A directory with a key and the list of its readers."""

    @classmethod
    def setUpClass(cls):
        room = tempfile.TemporaryDirectory()
        cls.addClassCleanup(room.cleanup)
        cls.room = pathlib.Path(room.name)
        run("vault-key", "new", "-o", "key", cwd=cls.room)
        (cls.room / "team").write_bytes(run("vault-key", "public", "key", cwd=cls.room).stdout)


class GetTest(RoomTest):

    def sealed(self, data):
        statuses, out, said = pipe(["vault-hash"], ["vault-seal", "-R", "team"], stdin=data or b"",
                                   cwd=self.room)
        self.assertEqual(statuses, [0, 0], said)
        return out

    def serve(self, *rules, **settings):
        self.server = Server({"rules": list(rules), **settings}).start()
        self.addCleanup(self.server.close)
        self.env = environment(self.server.url)

    def store(self, key, body):
        where = f"{self.server.url}/_faults/objects/{BUCKET}/{urllib.parse.quote(key)}"
        urllib.request.urlopen(urllib.request.Request(where, data=body, method="PUT")).close()

    def report(self):
        with urllib.request.urlopen(self.server.url + "/_faults/report") as answer:
            return json.load(answer)

    def get(self, *arguments, **more):
        return run("vault-get", "--idle-timeout", "2", *arguments, cwd=self.room, env=self.env, **more)

    def opened(self, stream, *arguments):
        return run("vault-open", "-i", "key", *arguments, stdin=stream, cwd=self.room)


def main(name):
    outcome = unittest.main(name, exit=False, verbosity=1, warnings="ignore").result
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
