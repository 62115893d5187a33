"""make_bucket.py BUCKET ENDPOINT...: makes the bucket on each; a server that still settles gets time."""

import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

CONFIG = Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}, read_timeout=10)


def make(endpoint, bucket, tries=40):
    client = boto3.client("s3", endpoint_url=endpoint, config=CONFIG)
    for left in reversed(range(tries)):
        try:
            return client.create_bucket(Bucket=bucket)
        except (BotoCoreError, ClientError):
            if not left:
                raise
            time.sleep(0.25)


for url in sys.argv[2:]:
    make(url, sys.argv[1])
