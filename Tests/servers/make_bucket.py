"""make_bucket.py BUCKET ENDPOINT: makes the bucket; a server that still settles gets five seconds."""

import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

CONFIG = Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}, read_timeout=10)


def make(endpoint, bucket, tries=20):
    client = boto3.client("s3", endpoint_url=endpoint, config=CONFIG)
    for left in reversed(range(tries)):
        try:
            return client.create_bucket(Bucket=bucket)
        except (BotoCoreError, ClientError) as error:
            if not left:
                sys.exit(f"make_bucket.py: error: {error}")
            time.sleep(0.25)


make(sys.argv[2], sys.argv[1])
