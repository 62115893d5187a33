"""Random ranges of an object on real servers, and a batch with rows that fail."""

import concurrent.futures
import json
import os
import random
import subprocess
import time

from harness import TOOLS, RoomTest, main, pipe, run

SIZE, RANGES = 100 << 20, int(os.environ.get("VAULT_TEST_RANGES", "500"))
SERVERS = {name: os.environ[f"VAULT_TEST_{name.upper()}"] for name in ("seaweed", "rgw")
           if f"VAULT_TEST_{name.upper()}" in os.environ}
BUCKET = os.environ["VAULT_TEST_BUCKET"]


def ranges():
    """So many of each form, from one byte to a MiB, at the borders of chunks and frames too."""
    source = random.Random(20261130)
    for number in range(RANGES):
        first = source.choice([source.randrange(SIZE), 16384 * source.randrange(SIZE >> 14),
                               (source.randrange(1, SIZE >> 20) << 20) - 1])
        length = min(int(2 ** source.uniform(0, 20)), SIZE - first)
        if number % 10 == 0:
            yield f"-{length}", SIZE - length, SIZE
        elif number % 10 == 1:
            first = SIZE - length
            yield f"{first}-", first, SIZE
        else:
            yield f"{first}-{first + length - 1}", first, first + length


class LiveRanges(RoomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = os.urandom(SIZE)
        (cls.room / "data").write_bytes(cls.data)
        with open(cls.room / "vault", "wb") as out:
            subprocess.run(["bash", "-c", "vault-hash data | vault-seal -R team"], cwd=cls.room,
                           stdout=out, env=cls.environment(), check=True)

    @staticmethod
    def environment(url=None):
        return {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"} | (
            {"AWS_ENDPOINT_URL_S3": url} if url else {})

    def put(self, url, key):
        done = subprocess.run(
            ["bash", "-c", f"vault-chunk <vault | vault-put s3://{BUCKET}/{key}"], cwd=self.room,
            env=self.environment(url), stdout=subprocess.PIPE, check=True)
        return done.stdout

    def one(self, url, source, asked, first, end):
        statuses, out, said = pipe(
            ["vault-get", "--range", asked, source], ["vault-open", "-i", "key", "--range", asked],
            cwd=self.room, env=self.environment(url))
        return None if statuses == [0, 0] and out == self.data[first:end] else (asked, statuses, said)

    def test_random_ranges_are_those_of_the_original(self):
        for name, url in SERVERS.items():
            receipt = self.put(url, "ranges.vault")
            (self.room / "receipts").write_bytes(receipt)
            source = json.loads(receipt)["object"]
            begun = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                bad = [b for b in pool.map(lambda r: self.one(url, source, *r), ranges()) if b]
            print(f"{name}: {RANGES} ranges in {time.monotonic() - begun:.1f} s")
            self.assertEqual(bad, [], name)
            whole = run("vault-get", source, cwd=self.room, env=self.environment(url))
            self.assertEqual(whole.stdout, (self.room / "vault").read_bytes())

    def test_a_batch_is_verified_and_its_bad_rows_are_told(self):
        for url in SERVERS.values():
            rows = self.put(url, "batch.vault") + b"".join(
                b'{"source":"s3://%s/%s"}\n' % (BUCKET.encode(), key)
                for key in (b"none", b"batch.vault"))
            for mode, command in (["check", ["-i", "key", "--batch", "--check"]], ["inspect", ["--inspect"]]):
                statuses, out, said = pipe(
                    ["vault-get", "--rows", "-", *(["--heads"] if mode == "inspect" else [])],
                    ["vault-open", *command], stdin=rows, cwd=self.room, env=self.environment(url))
                self.assertEqual(statuses[0], 69, said)
                found = [json.loads(line) for line in out.splitlines()]
                self.assertEqual(len(found), 3)
                self.assertEqual(found[1]["error"]["name"], "missing-object")
                if mode == "check":
                    self.assertEqual((found[0]["verified"], found[2]["consistent"]), (True, True))
                else:
                    self.assertEqual([f["complete"] for f in found], [True, False, True])
                    self.assertEqual(found[0]["object_bytes"], (self.room / "vault").stat().st_size)


if __name__ == "__main__":
    main(__name__)
