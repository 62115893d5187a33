"""Buckets on the server of Tests/servers, and how each peer is told of it. A bucket that is removed
gives its disk back at once, which an object does not.
"""

import contextlib
import os
import uuid

import boto3
from botocore.config import Config


def client():
    style = Config(s3={"addressing_style": "path"}, retries={"max_attempts": 5})
    return boto3.client("s3", endpoint_url=os.environ["VAULT_TEST_SEAWEED"], config=style)


STRANGERS = ("AWS_CA_BUNDLE", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
             "all_proxy", "AWS_PROFILE", "AWS_SESSION_TOKEN")


def configure():
    """The endpoint, in the words of each tool, and nothing that the machine says of other ones."""
    url = os.environ["VAULT_TEST_SEAWEED"]
    for name in STRANGERS:
        os.environ.pop(name, None)
    os.environ.update({
        "AWS_ENDPOINT_URL": url, "S3_ENDPOINT_URL": url, "RCLONE_CONFIG": "/dev/null",
        "RCLONE_S3_PROVIDER": "Other", "RCLONE_S3_ENV_AUTH": "true", "RCLONE_S3_ENDPOINT": url,
        "RCLONE_S3_NO_CHECK_BUCKET": "true",
    })


def drop(s3, name):
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=name):
        for entry in page.get("Contents", ()):
            s3.delete_object(Bucket=name, Key=entry["Key"])
    s3.delete_bucket(Bucket=name)


@contextlib.contextmanager
def bucket():
    s3, name = client(), f"bench-{uuid.uuid4().hex[:8]}"
    s3.create_bucket(Bucket=name)
    # The server makes the files of a bucket when the first object comes: that is nobody's time.
    s3.put_object(Bucket=name, Key="first", Body=b"x" * 1024)
    try:
        yield name
    finally:
        drop(s3, name)
