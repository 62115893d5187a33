"""Where objects go in a test: a directory or a prefix of a bucket; what is visible there, what is left."""

import pathlib

HIDDEN = ".vault-tmp-"


class DirectoryPlace:
    kind, environment = "directory", {}

    def __init__(self, room):
        self.path = pathlib.Path(room) / "store"
        self.path.mkdir()
        self.destination = f"{self.path}/{{item}}.vault"

    def objects(self):
        """Name without ending, and bytes, of what is visible."""
        return {file.stem: file.read_bytes() for file in self.path.rglob("*.vault")
                if not file.name.startswith(HIDDEN)}

    def leftovers(self):
        return [file.name for file in self.path.rglob(HIDDEN + "*")]


class BucketPlace:
    def __init__(self, client, endpoint, bucket, prefix, kind):
        self.environment = {"AWS_ENDPOINT_URL_S3": endpoint}
        self.client, self.bucket, self.prefix, self.kind = client, bucket, prefix, kind
        self.destination = f"s3://{bucket}/{prefix}/{{item}}.vault"

    def objects(self):
        listing = self.client.list_objects_v2(Bucket=self.bucket, Prefix=self.prefix + "/")
        keys = [row["Key"] for row in listing.get("Contents", [])]
        return {pathlib.PurePath(key).stem: self.get(key) for key in keys}

    def get(self, key):
        return self.client.get_object(Bucket=self.bucket, Key=key)["Body"].read()

    def leftovers(self):
        found = self.client.list_multipart_uploads(Bucket=self.bucket).get("Uploads", [])
        return [row["Key"] for row in found if row["Key"].startswith(self.prefix + "/")]


def client(endpoint):
    import boto3
    from botocore.config import Config
    config = Config(s3={"addressing_style": "path"}, max_pool_connections=16,
                    retries={"max_attempts": 3}, read_timeout=30)
    return boto3.client("s3", endpoint_url=endpoint, config=config)
