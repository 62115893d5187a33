"""Batches as processes: many rows with bad ones, a mix of sizes, a pipeline that is killed."""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from harness import environment, main, run

ROWS = int(os.environ.get("VAULT_TEST_ROWS", "10000"))
SEAL = ("vault-hash --framed | vault-seal -R team | vault-chunk |"
        " {put} vault-put --jobs 8 'store/{{item}}'")
MIB = 1024  # in KiB
BOUND = {"get": (8 * 8 + 24) * MIB, "put": (64 + 24) * MIB, "hash": 16 * MIB, "seal": 16 * MIB,
         "chunk": 16 * MIB, "open": 16 * MIB}


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


class BatchTest(unittest.TestCase):
    def setUp(self):
        self.room = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.room)
        run("vault-key", "new", "-o", "key", cwd=self.room)
        (self.room / "team").write_bytes(run("vault-key", "public", "key", cwd=self.room).stdout)
        for name in "store", "legacy":
            (self.room / name).mkdir()
        self.random = random.Random(7)
        self.noise = self.random.randbytes(1 << 20)

    def shell(self, text, seconds=300):
        """Runs a pipeline; each tool's most memory goes to a file."""
        text = re.sub(r"\bvault-(\w+)", r"/usr/bin/time -q -o \1.kib -f %M vault-\1", text)
        return subprocess.run(["bash", "-c", text + '; echo "${PIPESTATUS[*]}"'], cwd=self.room,
                              env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=seconds, check=False)

    def within_bounds(self):
        for name, bound in BOUND.items():
            file = self.room / f"{name}.kib"
            if file.exists():
                kib = int(file.read_text().split()[-1])
                print(f"vault-{name}: {kib} KiB")
                self.assertLessEqual(kib, bound, name)

    def legacy(self, number, size):
        name = f"legacy/{number}"
        start = self.random.randrange(len(self.noise) - size)
        (self.room / name).write_bytes(self.noise[start:start + size])
        return {"source": name, "target": f"t{number}", "id": number, "bytes": size}

    def write(self, rows, name="rows"):
        text = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        text.append(json.dumps({"end": True, "rows": len(rows)}))
        (self.room / name).write_text("\n".join(text) + "\n")


class Rows(BatchTest):
    def test_B09_B10_any_name_comes_back_as_it_was(self):
        names = ["tab\t", "line\nline", "back\\slash", '"quoted"', "a|b", " lead", "\\N", "NULL",
                 "é😀", "%41", "{item}", "-"]
        rows = []
        for number, name in enumerate(names):
            (self.room / "legacy" / name).write_bytes(name.encode())
            rows.append({"source": f"legacy/{name}", "target": name, "id": number, "none": None})
        self.write(rows)
        done = self.shell("vault-get --as plain --rows rows --rows-end | "
                          + SEAL.format(put="").replace("{item}", "{target}") + " >receipts")
        self.assertEqual(done.stdout.split(), [b"0"] * 5, done.stderr)
        self.assertEqual(sorted(os.listdir(self.room / "store")), sorted(names))
        found = {r["row"]["id"]: r["row"] for r in lines(self.room / "receipts")}
        self.assertEqual(found, dict(enumerate(rows)))
        for number, name in enumerate(names):
            opened = run("vault-open", "-i", "key", f"store/{name}", cwd=self.room)
            self.assertEqual(opened.stdout, name.encode())

    def test_B13_two_batches_at_once_store_each_target_once(self):
        self.write([self.legacy(n, 2000) for n in range(200)])
        command = ("vault-get --as plain --rows rows --rows-end | "
                   + SEAL.format(put="").replace("{item}", "{target}"))
        runs = [subprocess.Popen(["bash", "-c", command], cwd=self.room, env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        out = b"".join(run_.communicate()[0] for run_ in runs)
        (self.room / "receipts").write_bytes(out)
        counts = collections.Counter((r["row"]["id"], r["status"]) for r in
                                     lines(self.room / "receipts"))
        wanted = {(n, status): 1 for n in range(200) for status in ("stored", "exists")}
        self.assertEqual(dict(counts), wanted)

    def test_B07_a_loop_over_rows_keeps_its_input(self):
        (self.room / "plain").write_bytes(b"x")
        self.shell("vault-hash plain | vault-seal -R team >one.vault")
        done = self.shell("printf '1\\n2\\n3\\n' | while read -r row; do vault-get one.vault >$row;"
                          " vault-open -i key one.vault; done")
        self.assertTrue(done.stdout.startswith(b"xxx"), done)


class Many(BatchTest):
    def test_B05_bad_rows_are_one_receipt_each_and_the_rest_is_stored(self):
        rows = [self.legacy(n, self.random.randrange(1024, 200 * 1024)) for n in range(ROWS)]
        spoilt = {n: i % 5 for i, n in enumerate(self.random.sample(range(1, ROWS), ROWS // 100))}
        wanted = {0: "missing-object", 1: "digest-mismatch", 2: "size-mismatch", 3: "bad-row",
                  4: "exists"}
        for number, kind in spoilt.items():
            if kind == 0:
                os.unlink(self.room / rows[number]["source"])
            elif kind == 1:
                rows[number]["sha3_256"] = "0" * 64
            elif kind == 2:
                rows[number]["bytes"] += 1
            elif kind == 3:
                rows[number] = '{"id":%d,"source":[]}' % number
            else:
                (self.room / "store" / rows[number]["target"]).write_bytes(b"taken")
        self.write(rows)
        begun = time.monotonic()
        done = self.shell("vault-get --as plain --rows rows --rows-end --jobs 8 | "
                          + SEAL.format(put="").replace("{item}", "{target}") + " >receipts")
        print(f"{ROWS} rows: {time.monotonic() - begun:.1f} s")
        self.assertNotIn(b" 0\n", b" " + done.stdout[-3:])
        receipts = lines(self.room / "receipts")
        self.assertEqual(len(receipts), ROWS)
        by_id = {r["row"]["id"]: r for r in receipts}
        self.assertEqual(len(by_id), ROWS)
        for number, receipt in by_id.items():
            if number in spoilt:
                self.assertEqual(receipt["error"]["name"], wanted[spoilt[number]])
                self.assertNotEqual(receipt["status"], "stored")
            else:
                self.assertEqual(receipt["status"], "stored")
        self.within_bounds()
        self.verified(ROWS - len(spoilt))

    def verified(self, count):
        begun = time.monotonic()
        self.shell("vault-get --rows receipts --jobs 8 | vault-open -i key --batch --check >verdicts")
        print(f"verdicts: {time.monotonic() - begun:.1f} s")
        verdicts = lines(self.room / "verdicts")
        self.assertEqual(len(verdicts), ROWS)
        self.assertEqual(sum(v.get("verified", False) for v in verdicts), count)
        self.within_bounds()


class Mix(BatchTest):
    def test_large_and_small_objects_and_a_slow_store_end(self):
        rows = [self.legacy(n, 1024) for n in range(1000)]
        for number in range(3):
            with open(self.room / f"legacy/big{number}", "wb") as file:
                file.truncate(300 << 20)
            rows.insert(number * 400 + 1, {"source": f"legacy/big{number}"})
        self.write(rows)
        slow = ("python3 -c 'import sys,time\nwhile True:\n d=sys.stdin.buffer.read1(1<<20)\n"
                " if not d: break\n sys.stdout.buffer.write(d); time.sleep(0.002)' |")
        done = self.shell("vault-get --as plain --rows rows --rows-end --jobs 8 | "
                          + SEAL.format(put=slow) + " >receipts", 200)
        self.assertEqual(done.stdout.split(), [b"0"] * 6, done.stderr)
        self.assertEqual(len(lines(self.room / "receipts")), 1003)
        self.within_bounds()


class Killed(BatchTest):
    def test_B01_B02_a_killed_batch_goes_on_and_a_further_run_does_nothing(self):
        self.write([self.legacy(n, self.random.randrange(1, 20_000)) for n in range(1000)])
        (self.room / "receipts").touch()
        command = ("vault-get --as plain --rows rows --rows-end --done receipts | "
                   + SEAL.format(put="") + " >>receipts")
        for _ in range(10):
            run_ = subprocess.Popen(["bash", "-c", command], cwd=self.room, env=environment(),
                                    stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(self.random.uniform(0.02, 0.6))
            os.killpg(run_.pid, signal.SIGKILL)
            run_.wait()
        begun = time.monotonic()
        self.assertEqual(self.shell(command).stdout.split(), [b"0"] * 5)
        left = time.monotonic() - begun
        receipts = lines(self.room / "receipts")
        stored = collections.Counter(r["row"]["id"] for r in receipts if r["status"] == "stored")
        self.assertEqual(dict(stored), {n: 1 for n in range(1000)})
        named = {r["object"] for r in receipts if "object" in r}
        there = {f"store/{name}" for name in os.listdir(self.room / "store")}
        self.assertLessEqual(named, there)
        orphans = self.shell("comm -23 <(ls store | sort) <(sed -n"
                             ' \'s/.*"object":"store\\/\\([^"]*\\)".*/\\1/p\' receipts | sort)')
        listed = {f"store/{name}" for name in orphans.stdout.decode().split("\n")[:-2]}
        self.assertEqual(listed, there - named)
        print(f"killed ten times: {len(listed)} objects without a receipt, the rest in {left:.1f} s")
        # B01: once all is stored, another run does nothing.
        again = self.shell(command)
        self.assertEqual(again.stdout.split(), [b"0"] * 5, again.stderr)
        self.assertEqual(len(os.listdir(self.room / "store")), len(there))


if __name__ == "__main__":
    main(__name__)
