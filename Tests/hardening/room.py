"""A directory with keys, a space and objects, and how the tools run in it."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "vectors"))
PASSWORD = b"correct horse battery staple"
OTHER = b"another horse, another battery"
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("AWS_", "VAULT_", "SWIFT_", "OPENSSL_"))}


class Room:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.env = {**CLEAN, "PATH": f"{ROOT}/bin:{os.environ['PATH']}", "LC_ALL": "C"}
        os.umask(0o077)
        self.write("password", PASSWORD + b"\n")
        self.write("other-password", OTHER)
        self.write("kek", os.urandom(32))
        self.write("original", b"a study" * 50_000)
        self.run("vault-key", "new", "-o", "identity")
        self.recipient = self.run("vault-key", "public", "identity").decode().strip()
        self.run("vault-key", "space", "new", "--password-file", "password", "-o", "space")
        plain = self.run("vault-hash", data=self.read("original"))
        self.write("plain", plain)
        for name, keys in self.readers.items():
            self.write(name + ".vault", self.run("vault-seal", *keys, "plain"))

    @property
    def readers(self):
        space = ["--space", "space", "--password-file", "password"]
        return {"x25519": ["-r", self.recipient], "key": ["--key-file", "kek"],
                "space": space, "derived": [*space, "--derive"]}

    @property
    def openers(self):
        space = ["--space", "space", "--password-file", "password"]
        return {"x25519": ["-i", "identity"], "key": ["--key-file", "kek"],
                "space": space, "derived": space}

    def write(self, name, data):
        (self.path / name).write_bytes(data)

    def read(self, name):
        return (self.path / name).read_bytes()

    def run(self, *command, data=b"", **more):
        return self.status(*command, data=data, check=True, **more).stdout

    def status(self, *command, data=b"", check=False, env=None, **more):
        return subprocess.run(command, input=data, capture_output=True, check=check, timeout=60,
                              cwd=self.path, env={**self.env, **(env or {})}, **more)

    def tool(self, name):
        return str(ROOT / "bin" / name)
