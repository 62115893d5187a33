"""test_migration.py [NAME]...: the recipes on a real PostgreSQL and SeaweedFS, from legacy rows to
retired originals. A test is a function that raises; the whole run closes with the counts.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
import uuid
import xml.etree.ElementTree

import boto3

from bed import (ROOT, S3, SQL, UNLIKED, Document, Migration, Reader, kill_group, make_documents, run)


# Rows, how many of them are large, how many kills.
SIZE = [int(n) for n in os.environ.get("VAULT_TEST_MIGRATION", "5000 20 20").split()]


def check_end(m, documents):
    """Every good document is verified exactly once, every bad one says why, nothing is unlisted."""
    states = dict(m.sql("SELECT document_id, state || ' ' || coalesce(kind, '') FROM vault_document"))
    for d in documents:
        state, _, kind = states[d.id].partition(" ")
        if d.good:
            assert state in ("verified", "switched", "retired"), (d.id, d.key, states[d.id])
        else:
            assert (state, kind) == ("failed", d.why), (d.id, d.key, states[d.id], d.why)
    good = sum(d.good for d in documents)
    count = int(m.value("SELECT count(*) FROM imaging_envelope WHERE superseded_at IS NULL"))
    assert count == good, f"{count} envelopes of {good} documents"
    stored = int(m.value("SELECT count(*) FROM vault_attempt WHERE state = 'stored'"))
    assert stored == good, f"{stored} attempts count for {good} documents"
    unlisted = m.keys(m.imaging) - m.listed()
    assert not unlisted, f"not listed: {unlisted}"
    missing = {row[0] for row in m.sql(
        "SELECT object_key FROM imaging_envelope WHERE superseded_at IS NULL")} - m.keys(m.imaging)
    assert not missing, f"not there: {missing}"
    left = list((m.room / "work").iterdir())
    assert not m.uploads(), f"uploads are still open: {m.uploads()}, {left}"
    assert m.value("SELECT count(*) FROM vault_bad_line") == "0"


def come_through(m, documents):
    """One more run brings all to their end, whatever came before."""
    m.good("vault-migrate")
    m.good("vault-verify")
    check_end(m, documents)


def await_end(m, worker, status):
    assert worker.wait() == status, (worker.returncode, (m.room / "workers.log").read_text()[-1000:])


def check_served(m, documents, sample=40):
    chosen = [d for d in documents if d.good]
    for d in random.Random(7).sample(chosen, min(sample, len(chosen))):
        assert m.fetch(d.id) == d.data, d.key


def nothing_happens(m):
    """All recipes once more: no state, no object changes."""
    before = m.sql("SELECT * FROM vault_document ORDER BY 1"), m.keys(m.legacy), m.keys(m.imaging)
    attempts = m.value("SELECT count(*) FROM vault_attempt")
    for recipe in ("vault-migrate", "vault-verify", "vault-switch"):
        m.good(recipe)
    m.good("vault-retire", "--older-than", "0s", "--yes")
    after = m.sql("SELECT * FROM vault_document ORDER BY 1"), m.keys(m.legacy), m.keys(m.imaging)
    assert before == after
    assert attempts == m.value("SELECT count(*) FROM vault_attempt")


def originals(documents):
    return {d.key for d in documents if d.data is not None}


def test_B01_B05_a_migration_from_end_to_end_and_once_more():
    m = Migration("small")
    documents = make_documents(300, seed=3, bad=0.04)
    m.add(documents)
    reader = Reader(m, documents)
    reader.start()
    m.good("vault-migrate", "--batch", "60", status=1)
    assert m.keys(m.legacy) == originals(documents)
    m.good("vault-verify", "--batch", "100")
    check_end(m, documents)
    m.good("vault-switch")
    check_served(m, documents)
    # A dry run first: it removes nothing, and a day is not over yet.
    done = m.good("vault-retire", "--older-than", "0s")
    good = sum(d.good for d in documents)
    assert done.out.count('"status":"would-drop"') == good, done.err
    m.good("vault-retire", "--older-than", "1d", "--yes")
    assert m.keys(m.legacy) == originals(documents)
    time.sleep(1)
    m.good("vault-retire", "--older-than", "1s", "--yes")
    assert m.keys(m.legacy) == originals([d for d in documents if not d.good])
    check_end(m, documents)
    reads, failures = reader.stop()
    assert reads and not failures, failures[:5]
    check_served(m, documents)
    nothing_happens(m)
    print(f"  300 documents, {300 - good} bad, {reads} reads on the way")


def test_B02_B04_workers_may_be_killed_at_any_time():
    """Three workers, 20 times one of them goes away with all its processes."""
    rows, large, kills = SIZE
    m = Migration("kills")
    documents = make_documents(rows, seed=5, large=large, bad=0.01)
    m.add(documents)
    reader = Reader(m, documents)
    reader.start()
    chance = random.Random(11)
    options = ("--lease", "6", "--batch", str(max(10, rows // 80)), "--jobs", "6")
    workers = [m.start("vault-migrate", *options) for _ in range(3)]
    # Each kill waits for so many documents to be recorded, so that all happen on any machine.
    marks = sorted(chance.randrange(rows * 2 // 3) for _ in range(kills))
    killed = 0
    while any(worker.poll() is None for worker in workers):
        time.sleep(chance.uniform(0, 0.2))
        place = chance.randrange(3)
        if killed < kills and workers[place].poll() is None and m.recorded() >= marks[killed]:
            time.sleep(chance.uniform(0, 0.8))
            kill_group(workers[place])
            killed += 1
            workers[place] = m.start("vault-migrate", *options)
    assert killed == kills, f"only {killed} of {kills} kills, in {rows} rows"
    m.good("vault-migrate", "--once")
    lost = m.sql("SELECT state, count(*) FROM vault_attempt GROUP BY 1 ORDER BY 1")
    verifiers = [m.start("vault-verify") for _ in range(2)]
    assert [v.wait() for v in verifiers] == [0, 0], (m.room / "workers.log").read_text()[-2000:]
    assert m.keys(m.legacy) == originals(documents), "an original is gone"
    check_end(m, documents)
    m.good("vault-switch")
    check_served(m, documents)
    time.sleep(2)
    m.good("vault-retire", "--older-than", "2s", "--yes")
    assert m.keys(m.legacy) == originals([d for d in documents if not d.good])
    reads, failures = reader.stop()
    assert reads and not failures, failures[:5]
    check_end(m, documents)
    check_served(m, documents)
    nothing_happens(m)
    print(f"  {rows} documents, {killed} kills, {reads} reads, attempts {lost}")


def test_B09_hostile_values_are_right_or_one_failed_row():
    m = Migration("hostile")
    texts = ["\\", "\\.", "\n\\.\n", '"', "'", "\t", "a\nb", "a\r\nb", "\\u0000", "\\N", "\x01\x02", "\x7f",
             "', (SELECT 1)); --", "{item}", "%", "e\u0301", "\U0001f9e8", "\u2028", " lead", "-"]
    documents = []
    for number, text in enumerate(texts):
        data = text.encode() * 3
        documents.append(Document(str(uuid.uuid4()), f"key {number} {text}".translate(UNLIKED), data,
                                  {"storage_backend": "s3", "file_name": text, "bytes": len(data)}))
    for bad in ({"bytes": "many"}, {"bytes": 1e30}, {"sha3_256": "no"}, {"file_name": ["a"] * 60000}):
        documents.append(Document(str(uuid.uuid4()), f"bad {bad.keys()}", b"x",
                                  {"storage_backend": "s3", **bad}, False, "bad-row"))
    m.add(documents)
    m.good("vault-migrate", status=1)
    m.good("vault-verify")
    check_end(m, documents)
    m.good("vault-switch")
    check_served(m, documents, 99)


def load(m, kind, lines, each="false"):
    return run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-v", f"kind={kind}", "-v",
               f"lines={len(lines)}", "-v", f"each={each}", "-f", str(SQL / "load.sql"),
               data="".join(line + "\n" for line in lines),
               env={**m.env, "PGOPTIONS": "-c search_path=vault,pg_temp"})


def claim(m, who, count=10, lease="1 hour"):
    rows = m.sql("SELECT vault_claim(:'who', :count, :'lease', :'to')", who=who, count=count,
                 lease=lease, to=f"s3://{m.imaging}/{{item}}")
    return [json.loads(row[0]) for row in rows][:-1]


def receipt(m, row, **more):
    item = row["item"]
    base = {"receipt": "vault/1", "item": item, "status": "stored",
            "object": f"s3://{m.imaging}/{item}", "object_bytes": 500, "data_bytes": 1,
            "sha256": "ab" * 32, "body": f"{'A' * 32} {'A' * 43}", "envelope": "vault-envelope/1\n",
            "etag": '"e"', "token": "cd" * 16, "row": row}
    return json.dumps({**base, **more}, separators=(",", ":"))


def few(m, count, data=b"data"):
    documents = [Document(str(uuid.uuid4()), f"k{n}", data, {"storage_backend": "s3"})
                 for n in range(count)]
    m.add(documents)
    m.sql("SELECT vault_enroll()")
    return documents


def test_B10_each_bad_line_is_one_failed_row():
    m = Migration("lines")
    few(m, 6)
    rows = claim(m, "a")
    good = receipt(m, rows[0])
    lines = [good, good[:40], receipt(m, rows[1]).replace('"token"', '"x":"\\u0000","token"'),
             receipt(m, rows[2], body="?"), receipt(m, rows[3], object="s3://else/where"), "",
             receipt(m, {"item": str(uuid.uuid4())}), "null", "[]", receipt(m, rows[4], status="odd"),
             receipt(m, rows[5], message="\\. \\N \x01")]
    done = load(m, "receipt", lines)
    assert done.status == 0, done.err
    assert done.out.split() == ["bad-line", "7", "stored", "2", "stranger", "1"], done.out
    assert load(m, "receipt", [good]).out.split() == ["again", "1"]
    assert m.value("SELECT vault_return('a', '{}', 'loss', 'over')") == "4"
    assert m.states() == {"pending": 4, "stored": 2}, m.states()
    nameless = {"receipt": "vault/1", "status": "cancelled", "error": {"name": "cancelled"}}
    lines = [{**nameless, "status": s} for s in ("cancelled", "incomplete", "failed", "stored",
                                                 "unknown", "exists", None)]
    lines += [{**nameless, more: "x"} for more in ("item", "row", "object", "receipt")]
    done = load(m, "receipt", [json.dumps(line) for line in lines])
    assert done.out.split() == ["bad-line", "8", "nameless", "3"], done.out
    short = load(m, "receipt", [good, "\\.", good])
    assert short.status != 0 and "lines were sent" in short.err, short


def test_lines_about_one_item_count_in_their_order():
    m = Migration("order")
    few(m, 3)
    rows = claim(m, "a")
    error = {"stage": "vault-put", "code": 75, "name": "remote-failed", "message": "later"}
    failed = receipt(m, rows[0], status="failed", error=error)
    done = load(m, "receipt", [failed, receipt(m, rows[0]), receipt(m, rows[1]),
                               receipt(m, rows[1], etag='"other"'), receipt(m, rows[2])])
    assert done.out.split() == ["again", "2", "pending", "1", "stored", "2"], done
    assert m.states() == {"pending": 1, "stored": 2}, m.states()
    etags = m.sql("SELECT DISTINCT etag FROM imaging_envelope")
    assert etags == [['"e"']], etags


def test_a_script_before_psql_is_asked_once():
    m = Migration("wrapped")
    few(m, 3)
    psql = shutil.which("psql", path=m.env["PATH"])
    folder = m.room / "wrapper"
    folder.mkdir()
    wrapper = folder / "psql"
    wrapper.write_text(f'#!/bin/sh\necho >>"{folder}/starts"\nexport PGDATABASE={m.database}\n'
                       f'exec {psql} "$@"\n')
    wrapper.chmod(0o755)
    env = {**m.env, "PATH": f"{folder}:{m.env['PATH']}", "PGDATABASE": "elsewhere"}
    done = run(*m.command("vault-migrate"), env=env)
    assert done.status == 0, done.err
    assert m.states() == {"stored": 3}, m.states()
    assert (folder / "starts").read_text() == "\n"


def test_B13_claims_do_not_overlap_and_a_late_worker_changes_nothing():
    m = Migration("claims")
    few(m, 40)
    first, second = claim(m, "a", 20), claim(m, "b", 30)
    assert len(first) == 20 and len(second) == 20
    assert not {r["document"] for r in first} & {r["document"] for r in second}
    assert claim(m, "c") == []
    m.sql("UPDATE vault_attempt SET lease_until = now() - interval '1 second' WHERE worker = 'a'")
    again = claim(m, "c", 40)
    assert {r["document"] for r in again} == {r["document"] for r in first}
    assert not {r["item"] for r in again} & {r["item"] for r in first}
    late = load(m, "receipt", [receipt(m, row) for row in first])
    assert late.out.split() == ["superseded", "20"], late
    assert m.states() == {"claimed": 40}
    assert m.value("SELECT count(*) FROM vault_superseded WHERE is_certain") == "20"
    error = {"stage": "vault-put", "code": 143, "name": "cancelled", "message": "stopped"}
    unsure = load(m, "receipt", [receipt(m, again[0], status="unknown", error=error),
                                 receipt(m, again[1], status="unknown")])
    assert unsure.out.split() == ["pending", "2"], unsure
    assert m.value("SELECT sum(failures) FROM vault_document") == "1"
    assert m.value("SELECT count(*) FROM vault_superseded WHERE NOT is_certain") == "2"
    done = load(m, "receipt", [receipt(m, row) for row in again[2:]])
    assert done.out.split() == ["stored", "18"], done
    assert m.value("SELECT vault_renew('a', '1 hour')") == "0"
    assert m.value("SELECT vault_return('a', '{}', 'none', '')") == "0"


def test_a_stopped_worker_whose_lease_ran_out_wakes_up():
    m = Migration("stopped")
    documents = make_documents(200, seed=9, bad=0)
    m.add(documents)
    old = m.start("vault-migrate", "--lease", "2", "--batch", "200", "--jobs", "1", "--once")
    while not m.keys(m.imaging):
        time.sleep(0.05)
    os.killpg(old.pid, signal.SIGSTOP)
    m.good("vault-migrate", "--lease", "20")
    os.killpg(old.pid, signal.SIGCONT)
    old.wait()
    m.good("vault-verify")
    check_end(m, documents)
    count = m.value("SELECT count(*) FROM vault_superseded WHERE is_certain")
    assert int(count) > 0, "the old worker has stored nothing; the test shows nothing"
    items = [row[0] for row in m.sql("SELECT item FROM vault_superseded")]
    m.run("vault-retire", "--superseded", *items)
    assert m.keys(m.imaging) - m.listed() == set()
    m.run("vault-retire", "--superseded", *items, "--yes")
    left = m.keys(m.imaging)
    assert left == {r[0] for r in m.sql("SELECT object_key FROM imaging_envelope "
                                        "WHERE superseded_at IS NULL")}
    m.good("vault-switch")
    check_served(m, documents)
    print(f"  {count} objects of the old worker superseded, and removed by name")


def sealed(name, count=4):
    m = Migration(name)
    documents = few(m, count)
    m.good("vault-migrate")
    m.good("vault-verify")
    return m, documents


def test_a_source_that_changes_before_the_switch_is_sealed_anew():
    m, documents = sealed("changed")
    S3.put_object(Bucket=m.legacy, Key="k0", Body=b"other")
    S3.put_object(Bucket=m.legacy, Key="new", Body=b"moved")
    S3.delete_object(Bucket=m.legacy, Key="k2")
    m.sql("UPDATE documents SET storage_key = 'new' WHERE storage_key = 'k1'")
    m.good("vault-switch", status=1)
    assert m.states() == {"pending": 2, "verified": 1, "switched": 1}, m.states()
    m.good("vault-migrate")
    m.good("vault-verify")
    m.good("vault-switch")
    assert m.states() == {"switched": 3, "verified": 1}, m.states()
    documents[0].data, documents[1].data, documents[2].good = b"other", b"moved", False
    check_served(m, documents)
    assert m.value("SELECT kind FROM vault_document WHERE state = 'verified'") == "source-gone"
    # Of an original that is gone the sealed object is the only copy: nobody may remove it.
    item = m.value("SELECT item FROM vault_document WHERE state = 'verified'")
    m.good("vault-retire", "--superseded", item, "--yes")
    assert m.opened(item) == b"data"


def test_retire_keeps_what_it_cannot_prove():
    m, documents = sealed("kept", 7)
    m.sql("UPDATE documents SET storage_key = 'k0', metadata = metadata WHERE storage_key = 'k0'")
    m.good("vault-switch")
    target = dict(m.sql("SELECT document_id, object_key FROM imaging_envelope"))
    S3.put_object(Bucket=m.legacy, Key="k0", Body=b"rewritten after the switch")
    S3.delete_object(Bucket=m.imaging, Key=target[documents[1].id])
    S3.put_object(Bucket=m.imaging, Key=target[documents[2].id], Body=b"garbage")
    m.sql("UPDATE documents SET storage_key = 'k3', metadata = '{\"storage_backend\": \"s3\"}' "
          f"WHERE id = '{documents[3].id}'")
    m.sql("INSERT INTO documents VALUES (gen_random_uuid(), 'k4', 'completed', "
          "'{\"storage_backend\": \"s3\"}')")
    S3.delete_object(Bucket=m.legacy, Key="k5")
    m.good("vault-retire", "--older-than", "0s", "--yes", status=1)
    assert m.keys(m.legacy) == {"k0", "k1", "k2", "k3", "k4"}, m.keys(m.legacy)
    why = dict(m.sql("SELECT document_id, coalesce(kind, state) FROM vault_document"))
    assert [why[d.id] for d in documents] == [
        "source-changed", "object-gone", "object-changed", "not-served", "still-used", "retired",
        "retired"], why


def test_detached_envelopes_move_to_a_new_key():
    m = Migration("rewrap")
    documents = few(m, 30)
    m.good("vault-migrate", "--detach")
    m.good("vault-verify")
    new = m.room / "new.key"
    run("vault-key", "new", "-o", str(new), env=m.env)
    reader = run("vault-key", "public", str(new), env=m.env).out.strip()
    m.good("vault-rewrap", "-i", str(m.key), "-r", reader)
    m.sql("UPDATE vault_document SET state = 'stored'")
    m.good("vault-verify", status=77)
    m.sql("UPDATE vault_document SET not_before = '-infinity'")
    m.key = new
    m.good("vault-verify")
    assert m.states() == {"verified": len(documents)}, m.states()
    done = m.run("vault-rewrap", "-i", str(m.key), "-r", reader)
    assert done.status == 0, done.err


def test_a_damaged_object_is_sealed_anew():
    m = Migration("damage")
    documents = few(m, 5)
    m.good("vault-migrate")
    keys = sorted(m.keys(m.imaging))
    body = bytearray(S3.get_object(Bucket=m.imaging, Key=keys[0])["Body"].read())
    body[-60] ^= 1
    S3.put_object(Bucket=m.imaging, Key=keys[0], Body=bytes(body))
    S3.copy_object(Bucket=m.imaging, Key=keys[1], CopySource=f"{m.imaging}/{keys[2]}")
    m.good("vault-verify", status=1)
    assert m.states() == {"pending": 2, "verified": 3}, m.states()
    come_through(m, documents)


def test_an_interrupted_worker_gives_back_what_it_holds():
    m = Migration("interrupted")
    documents = make_documents(400, seed=2, bad=0)
    m.add(documents)
    for number in (signal.SIGINT, signal.SIGTERM):
        before = len(m.keys(m.imaging))
        worker = m.start("vault-migrate", "--batch", "200", "--jobs", "1", "--lease", "600")
        while len(m.keys(m.imaging)) < before + 10:
            time.sleep(0.02)
        os.killpg(worker.pid, number)
        await_end(m, worker, 128 + number)
        assert m.states().get("claimed", 0) == 0, m.states()
        assert not m.uploads()
        assert m.keys(m.imaging) <= m.listed()
    assert m.value("SELECT max(failures) + max(losses) FROM vault_document") == "0"
    come_through(m, documents)


def until(seen, what):
    for _ in range(600):
        if seen():
            return
        time.sleep(0.05)
    raise AssertionError(f"in vain waited for {what}")


def begun_twice(m, *options):
    """A worker whose second batch is stored while its first cannot be recorded yet."""
    worker = m.start("vault-migrate", "--batch", "40", *options)
    until(lambda: len(m.keys(m.imaging)) > 60, "the second batch")
    assert m.value("SELECT count(*) FROM imaging_envelope") == "0"
    return worker


def test_a_batch_is_recorded_while_the_next_one_runs():
    m = Migration("behind")
    documents = make_documents(200, seed=21, bad=0, largest=3000)
    m.add(documents)
    with m.held("imaging_envelope"):
        worker = begun_twice(m)
        # Another worker of this machine leaves the rooms of one that lives alone.
        m.sql("UPDATE documents SET upload_status = 'new'; UPDATE vault_document SET state = 'failed' "
              "WHERE state = 'pending'")
        rooms = set((m.room / "work").iterdir())
        m.good("vault-migrate", "--once")
        assert rooms <= set((m.room / "work").iterdir())
        assert m.states()["claimed"] == 80, m.states()
    await_end(m, worker, 0)
    assert m.states() == {"stored": 80, "failed": 120}, m.states()
    assert m.keys(m.imaging) == m.listed()
    assert not list((m.room / "work").iterdir())


def test_the_room_of_a_recorded_batch_is_left_to_its_worker():
    m = Migration("rooms")
    m.add(make_documents(200, seed=24, bad=0))
    with m.held("imaging_envelope"):
        worker = m.start("vault-migrate", "--batch", "100", "--jobs", "1")
        until(lambda: len(m.keys(m.imaging)) > 100, "the second batch")
        put = int(run("pgrep", "-g", str(worker.pid), "-x", "vault-put").out)
        os.kill(put, signal.SIGSTOP)
    until(lambda: m.value("SELECT count(*) FROM imaging_envelope") == "100", "the first to be recorded")
    until(lambda: list((m.room / "work").glob("*/recorded")), "its room to say so")
    time.sleep(0.3)
    m.good("vault-migrate", "--once")
    os.kill(put, signal.SIGCONT)
    await_end(m, worker, 0)
    assert m.states() == {"stored": 200}, m.states()


def test_a_signal_while_a_batch_is_recorded_loses_nothing():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        m = Migration("signal")
        documents = make_documents(200, seed=22, bad=0, largest=3000)
        m.add(documents)
        with m.held("imaging_envelope"):
            worker = begun_twice(m, "--lease", "600")
            for _ in range(3):
                os.killpg(worker.pid, number)
                time.sleep(0.2)
            assert worker.poll() is None, (worker.poll(), number, (m.room / "workers.log").read_text())
        await_end(m, worker, 128 + number)
        assert m.states().get("claimed", 0) == 0, m.states()
        assert m.states()["stored"] >= 40
        assert m.keys(m.imaging) <= m.listed() and not list((m.room / "work").iterdir())
        come_through(m, documents)


def test_what_cannot_be_recorded_is_kept_for_the_next_run():
    m = Migration("unrecorded")
    documents = make_documents(200, seed=23, bad=0, largest=3000)
    m.add(documents)
    with m.held("imaging_envelope"):
        worker = begun_twice(m)
        m.sql("ALTER PROCEDURE vault_load RENAME TO vault_load_away")
        held = {room.name for room in (m.room / "work").iterdir()}
        ended = m.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND query LIKE 'CALL vault_load%'")
        assert ended == "1", ended
        await_end(m, worker, 74)
    assert held and held <= {room.name for room in (m.room / "work").iterdir()}
    assert m.value("SELECT count(*) FROM imaging_envelope") == "0"
    m.sql("ALTER PROCEDURE vault_load_away RENAME TO vault_load")
    come_through(m, documents)
    assert m.value("SELECT max(losses) FROM vault_document") == "0"


def test_a_query_that_outlives_its_client_counts_once():
    """The server goes on with what it was asked; the next run finds it recorded already."""
    m = Migration("outlived")
    documents = make_documents(200, seed=25, bad=0, largest=3000)
    m.add(documents)
    with m.held("imaging_envelope"):
        worker = begun_twice(m)
        recorders = [pid for pid in run("pgrep", "-f", "kind=receipt.*load.sql").out.split()
                     if f"PGDATABASE={m.database}\0" in pathlib.Path(f"/proc/{pid}/environ").read_text()]
        assert len(recorders) == 1, recorders
        os.kill(int(recorders[0]), signal.SIGKILL)
        await_end(m, worker, 74)
    until(lambda: m.value("SELECT count(*) FROM imaging_envelope") == "40", "the server")
    come_through(m, documents)


def test_what_a_killed_shell_held_is_free_again():
    """Only the shell dies, and nobody has waited for it: its heartbeat and its lock end with it."""
    m = Migration("shell")
    documents = make_documents(100, seed=26, bad=0, largest=3000)
    m.add(documents)
    with m.held("imaging_envelope"):
        worker = subprocess.Popen(m.command("vault-migrate", "--batch", "40", "--lease", "3"), env=m.env,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        until(lambda: len(m.keys(m.imaging)) > 50, "the second batch")
        os.kill(worker.pid, signal.SIGKILL)
    # What it wrote to has no other writer left; only then is it waited for.
    worker.stdout.read()
    m.good("vault-migrate")
    worker.wait()
    m.good("vault-verify")
    check_end(m, documents)


def test_a_signal_while_documents_are_claimed_gives_them_back():
    for number in (signal.SIGINT, signal.SIGTERM):
        m = Migration("claiming")
        m.add(make_documents(60, seed=27, bad=0, largest=3000))
        with m.held("vault_attempt"):
            worker = m.start("vault-migrate", "--lease", "600")
            until(lambda: m.value("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                                  "AND wait_event_type = 'Lock'") == "1", "the claim")
            os.killpg(worker.pid, number)
            time.sleep(0.3)
        await_end(m, worker, 128 + number)
        assert m.states() == {"pending": 60}, m.states()
        assert not m.keys(m.imaging) and not list((m.room / "work").iterdir())


def test_a_stage_that_could_not_write_its_status_failed():
    script = '. "$0/recipe.sh"; room=$1; : >"$room/status.a"; echo 0 >"$room/status.b"; worst a b; echo $?'
    m = Migration("status")
    assert run("sh", "-c", script, str(SQL), str(m.room)).out == "74\n"


def test_refusals():
    m = Migration("refusals")
    few(m, 2)
    for db in ("postgresql://vault:secret@127.0.0.1/x", "host=127.0.0.1 password=secret",
               "postgres://127.0.0.1/x?password=secret"):
        for recipe in ("vault-migrate", "vault-verify", "vault-switch", "vault-report"):
            done = m.run(recipe, "--db", db)
            assert done.status == 64 and "secret" not in done.err, done
        assert m.run("vault-retire", "--older-than", "1d", "--db", db).status == 64
        assert m.run("vault-rewrap", "-i", "a", "-r", "b", "--db", db).status == 64
    for options in (["--to", "s3://x/fixed"], ["--batch", "x"], ["-R"], ["--nonsense"]):
        assert m.run("vault-migrate", *options).status == 64, options
    assert m.run("vault-migrate", "-R", "/nonexistent").status == 78
    assert m.run("vault-retire", "--yes").status == 64
    m.good("vault-migrate", "--db", f"dbname={m.database}")
    m.good("vault-verify", "--db", f"postgresql://vault@127.0.0.1:{m.env['PGPORT']}/{m.database}")
    assert m.states() == {"verified": 2}


def test_a_worker_without_credentials_fails_no_document():
    m = Migration("credentials")
    few(m, 3)
    done = run(*m.command("vault-migrate"), env={**m.env, "AWS_ACCESS_KEY_ID": "nobody"})
    assert done.status == 77, done
    assert m.states() == {"pending": 3}, m.states()
    assert m.value("SELECT max(failures) FROM vault_document") == "0"


def test_B07_the_report_lists_all_and_its_page_is_well_formed():
    m = Migration("report")
    documents = make_documents(60, seed=4, bad=0.1)
    documents.append(Document(str(uuid.uuid4()), "<&>\"'\x01.dcm", None, {"storage_backend": "s3"},
                              False, "missing-object"))
    m.add(documents)
    few(m, 1)
    m.good("vault-migrate", status=1)
    m.good("vault-verify")
    m.sql("UPDATE vault_document SET message = E'<&>\"\x01\x0b]]>' WHERE kind = 'missing-object'")
    page = m.room / "report.html"
    done = m.good("vault-report", "--html", str(page))
    for word in ("verified", "missing-object", "bad-row", "ETA"):
        assert word in done.out, word
    # A recipe in a loop leaves the loop's input alone.
    loop = run("sh", "-c", "printf '1\n2\n3\n' | while read -r n; do vault-report >/dev/null && echo $n; done",
               env=m.env)
    assert loop.out.split() == ["1", "2", "3"], loop
    root = xml.etree.ElementTree.parse(page).getroot()
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("svg") == 3 and "script" not in names, names
    assert "&lt;&amp;&gt;" in page.read_text(), page.read_text()[-3000:]


def test_B06_an_update_that_fails_switches_and_deletes_nothing():
    m, _ = sealed("failing")
    m.sql("ALTER TABLE documents ADD CHECK (metadata->>'storage_backend' <> 'vault' "
          "OR storage_key IS NULL) NOT VALID")
    m.good("vault-switch", status=1)
    m.good("vault-retire", "--older-than", "0s", "--yes")
    assert m.states() == {"verified": 4}, m.states()
    assert m.keys(m.legacy) == {"k0", "k1", "k2", "k3"}
    assert m.value("SELECT count(*) FROM vault_bad_line WHERE message ~ 'violates check'") == "4"
    m.sql("ALTER TABLE documents DROP CONSTRAINT documents_check")
    m.sql("UPDATE vault_document SET not_before = '-infinity'")
    m.good("vault-switch")
    m.good("vault-retire", "--older-than", "0s", "--yes")
    assert m.states() == {"retired": 4}, m.states()


def test_the_original_can_be_read_again_to_compare():
    m = Migration("against")
    documents = few(m, 6)
    m.good("vault-migrate")
    S3.put_object(Bucket=m.legacy, Key="k1", Body=b"rewritten")
    S3.delete_object(Bucket=m.legacy, Key="k2")
    m.good("vault-verify", "--against-source", status=1)
    kinds = dict(m.sql("SELECT document_id, state || ' ' || coalesce(kind, '') FROM vault_document"))
    assert [kinds[d.id] for d in documents] == [
        "verified ", "pending other-object", "stored source-unread"] + ["verified "] * 3, kinds


def test_a_store_that_ignores_conditions_is_refused():
    endpoint = os.environ.get("VAULT_TEST_RGW")
    if not endpoint:
        print("  skipped: Ceph is missing")
        return
    m, documents = sealed("race", 2)
    rgw = boto3.client("s3", endpoint_url=endpoint, config=S3.meta.config)
    rows = []
    for bucket in (m.legacy, m.imaging):
        rgw.create_bucket(Bucket=bucket)
        for key in m.keys(bucket):
            found = S3.get_object(Bucket=bucket, Key=key)
            rgw.put_object(Bucket=bucket, Key=key, Body=found["Body"].read(), Metadata=found["Metadata"])
    for item, source, target, size in m.sql("SELECT item, source, object, object_bytes FROM vault_attempt"):
        etag = rgw.head_object(Bucket=m.legacy, Key=source.rpartition("/")[2])["ETag"]
        rows.append(json.dumps({"item": item, "source": source, "source_etag": etag, "object": target,
                                "object_bytes": int(size)}))
    file = m.room / "rows"
    file.write_text("\n".join(rows) + "\n")
    drop = [str(ROOT / "bin/vault-drop"), "--rows", str(file), "--yes"]
    env = {**m.env, "AWS_ENDPOINT_URL": endpoint}
    done = run(*drop, env=env)
    left = {entry["Key"] for entry in rgw.list_objects_v2(Bucket=m.legacy).get("Contents", [])}
    if '"status":"dropped"' in done.out:
        print("  this Ceph heeds If-Match of DELETE")
        assert not left
        return
    assert done.status == 69 and done.out.count("condition-ignored") == 2, done
    assert left == {d.key for d in documents}, left
    done = run(*drop, "--accept-delete-race", env=env)
    assert done.status == 0 and done.out.count('"dropped"') == 2, done


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]


def main(names):
    # A shell that started this in the background has it ignored, and so would have the recipes.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    passed = failed = 0
    for test in TESTS:
        if names and not any(name in test.__name__ for name in names):
            continue
        begun = time.monotonic()
        try:
            test()
            passed += 1
            print(f"ok {test.__name__} {time.monotonic() - begun:.1f} s", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"failed {test.__name__}\n{traceback.format_exc()}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
