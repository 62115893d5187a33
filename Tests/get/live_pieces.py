"""Objects of sizes around the borders of pieces on real servers, read back bit for bit."""

import os

import boto3
from botocore.config import Config

from harness import TOOLS, RoomTest, main, pipe

MIB = 1 << 20
OPENING, PIECE = 16 * MIB, 8 * MIB
BORDERS = [OPENING, OPENING + PIECE, OPENING + 4 * PIECE]
SIZES = [0, 1] + [border + more for border in BORDERS for more in (-1, 0, 1)]
SERVERS = {name: os.environ[f"VAULT_TEST_{name.upper()}"] for name in ("seaweed", "rgw")
           if f"VAULT_TEST_{name.upper()}" in os.environ}
BUCKET = os.environ["VAULT_TEST_BUCKET"]


class LivePieces(RoomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = os.urandom(max(SIZES))

    def back(self, url, *source):
        """The bytes that a plain item holds, by way of all stages that check it."""
        env = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", "AWS_ENDPOINT_URL_S3": url}
        statuses, out, said = pipe(
            ["vault-get", "--as", "plain", *source], ["vault-hash", "--framed"],
            ["vault-seal", "-R", "team"], ["vault-open", "-i", "key"], cwd=self.room, env=env)
        self.assertEqual(statuses, [0] * 4, said)
        return out

    def test_sizes_around_the_borders_come_back(self):
        self.assertTrue(SERVERS)
        for name, url in SERVERS.items():
            client = boto3.client("s3", endpoint_url=url,
                                  config=Config(s3={"addressing_style": "path"}))
            for size in SIZES:
                key, body = f"pieces-{size}", self.data[:size]
                client.put_object(Bucket=BUCKET, Key=key, Body=body)
                self.assertTrue(self.back(url, f"s3://{BUCKET}/{key}") == body, (name, size))
            (self.room / "url").write_text(client.generate_presigned_url(
                "get_object", Params={"Bucket": BUCKET, "Key": f"pieces-{max(SIZES)}"}))
            self.assertTrue(self.back(url, "--url-file", "url") == self.data, name)


if __name__ == "__main__":
    main(__name__)
