"""What the tests of verdicts share: the built tools, pipelines, a report that counts."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = os.environ.get("VAULT_TOOLS", f"{ROOT}/bin")
sys.path.insert(0, str(ROOT / "Tests/faults"))


def environment(**more):
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("AWS_", "VAULT_"))}
    return {**kept, "PATH": f"{TOOLS}:{os.environ['PATH']}", "LC_ALL": "C",
            "AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecretkey0123456789",
            "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", **more}


def tool(*command, data=b"", env=None):
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False,
                          env=env or environment())
    if done.returncode:
        raise SystemExit(f"{command}: {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def pipeline(*commands, data=b""):
    for command in commands:
        data = tool(*command, data=data)
    return data


class Report:
    """Counts what held, and says what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, what):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("failed:", what, flush=True)

    def close(self, name):
        print(f"{name}: {self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
