"""legacy_rows.py N: puts N plain objects into the bucket `legacy`, and prints their rows as JSON lines.

One in a hundred is bad: missing, of another size, or without a key.
"""

import concurrent.futures
import hashlib
import json
import random
import sys
import uuid

import boto3
from botocore.config import Config

chance = random.Random(1)
s3 = boto3.client("s3", config=Config(s3={"addressing_style": "path"}, max_pool_connections=8))
pool = chance.randbytes(1 << 20)


def put(number, size, at):
    data = pool[at:at + size]
    key = f"2019/{number:06}.dcm"
    bad = number % 300 if number % 100 == 50 else None
    if bad != 50:
        s3.put_object(Bucket="legacy", Key=key, Body=data)
    metadata = {"storage_backend": "s3", "file_name": f"study {number}.dcm",
                "media_type": "application/dicom", "bytes": size + (bad == 150),
                "sha3_256": hashlib.sha3_256(data).hexdigest()}
    return {"id": str(uuid.UUID(int=number + 1)), "storage_key": None if bad == 250 else key,
            "upload_status": "completed", "metadata": metadata}


def main(count):
    for bucket in ("legacy", "imaging"):
        s3.create_bucket(Bucket=bucket)
    sizes = [chance.randrange(300 << 10) for _ in range(count)]
    places = [chance.randrange(len(pool) - size) for size in sizes]
    with concurrent.futures.ThreadPoolExecutor(8) as workers:
        for row in workers.map(put, range(count), sizes, places):
            print(json.dumps(row))


main(int(sys.argv[1]))
