"""fault_server.py [--script FILE or JSON] [--upstream URL] [--cert PEM --key PEM]

An S3 server that fails as it is told: in memory, or in front of a real one. It listens on a free
port of 127.0.0.1, prints `listening PORT refusing PORT` (the second refuses connections as long as
this process lives) and ends by a signal, or with --until-eof when its standard input does. Without
signature it answers:
  GET  /_faults/report         requests by kind, violations, connections, what is stored, a log
  POST /_faults/script         new settings and rules (script.py); everything is forgotten
  PUT, GET /_faults/objects/BUCKET/KEY    an object's bytes
"""

import argparse
import collections
import datetime
import hashlib
import json
import socket
import ssl
import sys
import threading
import time

import actions
import issuer
from mini_s3 import MiniS3
from script import Script
from session import Session
from upstream import Upstream
from wire import Connection


class Server:
    def __init__(self, settings=None, upstream=None, context=None):
        self.upstream, self.context = upstream, context
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        self.refusing = socket.socket()  # bound and never listening
        self.refusing.bind(("127.0.0.1", 0))
        self.refusing_port = self.refusing.getsockname()[1]
        self.load(settings or {})

    def load(self, settings):
        self.script = Script(settings)
        self.config = self.script.config
        bad = {r.get("action") for r in self.script.rules} - actions.NAMES
        if bad:
            raise ValueError(f"unknown actions: {sorted(map(str, bad))}")
        self.backend = Upstream(self.upstream, self.config) if self.upstream else MiniS3(self.config)
        self.issuer = issuer.Issuer(self.config)
        self.lock = threading.Lock()
        self.requests = collections.Counter()
        self.violations, self.log = [], []
        self.connections, self.begun = 0, time.monotonic()

    def start(self):
        self.accepting = threading.Thread(target=self.accept, daemon=True)
        self.accepting.start()
        return self

    def close(self):
        # The number of a closed socket is soon that of the next server's, whose first connection would
        # be taken by a thread of ours that was about to accept.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.accepting.join()
        self.listener.close()
        self.refusing.close()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        try:
            if self.context:
                sock = self.context.wrap_socket(sock, server_side=True)
            Session(self, Connection(sock)).run()
        except (OSError, ssl.SSLError):
            sock.close()

    def now(self):
        utc = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        return utc + datetime.timedelta(seconds=self.config["clock_skew"])

    def report(self):
        with self.lock:
            return {
                "clean": not self.violations, "violations": self.violations,
                "requests": dict(self.requests), "connections": self.connections,
                "open_uploads": [{"upload_id": i, "key": u.key, "parts": len(u.parts)}
                                 for i, u in self.backend.uploads.items()],
                "objects": {f"{b}/{k}": {"bytes": len(o.body), "etag": o.etag,
                                         "sha256": hashlib.sha256(o.body).hexdigest(),
                                         "headers": o.headers}
                            for (b, k), o in self.backend.objects.items()},
                "log": self.log}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--script")
    parser.add_argument("--upstream")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--until-eof", action="store_true")
    options = parser.parse_args()
    settings, context = {}, None
    if (options.script or "").startswith("{"):
        settings = json.loads(options.script)
    elif options.script:
        with open(options.script, encoding="utf-8") as file:
            settings = json.load(file)
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
    server = Server(settings, options.upstream, context).start()
    print(f"listening {server.port} refusing {server.refusing_port}", flush=True)
    if options.until_eof:
        sys.stdin.read()
    else:
        threading.Event().wait()


if __name__ == "__main__":
    main()
