"""envelope_program.py LEGACY IMAGING TABLE: the migration as a team would write it in Python.

boto3, cryptography and 8 threads: each row's object is read, compared with the size and the SHA3-256 that the row
knows, sealed with AES-256-GCM under a key of its own, which is wrapped by a master key, and stored with
If-None-Match and its SHA-256. The main thread writes what has come to the rows, a hundred at a time. It looks at nothing afterwards, and of what was
stored when it is killed it knows nothing.
"""

import base64
import concurrent.futures
import hashlib
import os
import sys
import uuid

import boto3
import psycopg
from botocore.config import Config
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

THREADS = 8
BATCH = 100


class Program:
    def __init__(self, legacy, imaging, table):
        self.legacy, self.imaging, self.table = legacy, imaging, table
        self.master = AESGCM(AESGCM.generate_key(256))
        self.s3 = boto3.client("s3", config=Config(
            s3={"addressing_style": "path"}, max_pool_connections=THREADS))

    def seal(self, row):
        document, key, size, digest = row
        data = self.s3.get_object(Bucket=self.legacy, Key=key)["Body"].read()
        if len(data) != size or hashlib.sha3_256(data).hexdigest() != digest:
            raise ValueError(f"{key} is not what the row says")
        secret, nonce, wrap = AESGCM.generate_key(256), os.urandom(12), os.urandom(12)
        name = str(uuid.uuid4())
        sealed = nonce + AESGCM(secret).encrypt(nonce, data, name.encode())
        wrapped = wrap + self.master.encrypt(wrap, secret, name.encode())
        answer = self.s3.put_object(Bucket=self.imaging, Key=name, Body=sealed, IfNoneMatch="*",
                                    ContentType="application/octet-stream",
                                    ChecksumAlgorithm="SHA256")
        return name, wrapped, base64.b64decode(answer["ChecksumSHA256"]), answer["ETag"], document

    def record(self, database, batch):
        with database.cursor() as cursor:
            cursor.executemany(
                f"UPDATE {self.table} SET storage_key = %s, wrapped_dek = %s, sha256 = %s, "
                "etag = %s, backend = 'sealed' WHERE id = %s AND backend = 's3'",
                batch)
        database.commit()

    def run(self):
        with psycopg.connect() as database:
            rows = database.execute(
                f"SELECT id, storage_key, bytes, sha3_256 FROM {self.table} "
                "WHERE backend = 's3'").fetchall()
            batch = []
            with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
                for sealed in threads.map(self.seal, rows):
                    batch.append(sealed)
                    if len(batch) == BATCH:
                        self.record(database, batch)
                        batch = []
            if batch:
                self.record(database, batch)


if __name__ == "__main__":
    Program(*sys.argv[1:]).run()
