"""test_faults.py [WORD…]: vault-put against every fault of the table, with the requests counted."""

import re
import sys
import urllib.parse

from fault_cases import cases
from room import MIB, Room, clean_environment, equal, put, run_all

from fault_server import Server  # room knows where it is

KEY = "a/x"
LETTERS = {"H": "HeadObject", "P": "PutObject", "C": "Create", "U": "UploadPart", "X": "Complete",
           "A": "Abort", "L": "ListParts"}
SIZES = {"whole": 100_000, "three": 11 * MIB, 4: 4 * MIB}


def check(room, rules, wanted, more):
    code, status, *words = wanted.split()
    vault, stream = room.sealed(SIZES[more.get("size", "three")])
    server = Server({"rules": rules, "expect": ["if-none-match", "token"],
                     **more.get("settings", {})}).start()
    url = f"http://127.0.0.1:{server.refusing_port}" if more.get("refused") else server.url
    env = clean_environment(AWS_ENDPOINT_URL_S3=url, AWS_ACCESS_KEY_ID="testkey",
                            AWS_SECRET_ACCESS_KEY="testsecretkey0123456789", AWS_REGION="us-east-1")
    try:
        options = more.get("options", [])
        retries = [] if "--retries" in options else ["--retries", "1"]
        done = put(stream, *retries, *options, f"s3://vault-test/{KEY}", env=env)
        report = server.report()
        stored = server.backend.objects.get(("vault-test", KEY))
    finally:
        server.close()
    judge(done, report, stored, vault, int(code), status, words, more)


def judge(done, report, stored, vault, code, status, words, more):
    shown = f"; it said {done.err!r}, requests {report['requests']}"
    equal(done.status, code, "exit" + shown)
    receipt = done.receipt
    equal(receipt.get("status"), status, f"status{shown}")
    names = [w for w in words if re.fullmatch(r"[a-z]+(-[a-z]+)*", w) and w not in ("gone", "other")]
    error = receipt.get("error", {})
    if status in ("exists", "unknown", "failed"):
        equal([error.get("name"), error.get("code")], [names[0], code], "error" + shown)
    else:
        equal(names, [], "words of the table")
    equal(report["violations"], [], "violations")
    equal(len(report["open_uploads"]), opened(words), "open uploads")
    count(words, report["requests"], done)
    content(stored, vault, receipt, status, words)
    assert more.get("says", "") in done.err, f"{more.get('says')!r} is not in {done.err!r}"
    if "proof" in more:
        equal(receipt["proof"], more["proof"], "proof")
    equal(bool(done.err), code != 0, "whether it spoke: " + done.err)


def opened(words):
    return sum(int(word[5:]) for word in words if word.startswith("open="))


def count(words, requests, done):
    wanted = dict(re.fullmatch(r"([HPCUXAL])(\d+\+?)", word).groups()
                  for word in words if word[0] in LETTERS)
    for letter, kind in LETTERS.items():
        found, limit = requests.get(kind, 0), wanted.get(letter, "0")
        good = found >= int(limit[:-1]) if limit.endswith("+") else found == int(limit)
        assert good, f"{found} requests {kind}, not {limit}, of {requests}; it said {done.err!r}"


def content(stored, vault, receipt, status, words):
    if "gone" in words:
        equal(stored, None, "what is stored")
    elif "other" in words:
        equal(stored.body, b"other", "the other's object")
    else:
        equal(stored.body == vault, True, "the object is the sealed one")
        equal(stored.headers["x-amz-meta-vault-token"], receipt["token"], "token")
        equal(stored.headers["x-amz-meta-vault-item"], receipt["item"], "item")
    if status == "stored":
        equal(receipt["object"], "s3://vault-test/" + urllib.parse.unquote(KEY))
        equal(receipt["object_bytes"], len(vault))


def main():
    room = Room()
    try:
        table = [(name, lambda r=rules, w=wanted, m=more: check(room, r, w, m))
                 for name, rules, wanted, more in cases()]
        for size in SIZES.values():
            room.sealed(size)
        return run_all(table)
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
