"""A sealed object from S3: vault-get beside the peers' downloads to standard output."""

from arithmetic import against_best
from bucket import bucket, configure
from parts import commands, told
from runner import Contestant, in_turns, shell

PEERS = ("s5cmd", "s5cmd, 8 MiB", "aws", "rclone")


def run(room):
    configure()
    room.need_disk(4 * room.size)
    parts = room.parts()
    with bucket() as name:
        shell(f"vault-put s3://{name}/object <{parts} >receipt")
        contestants = {
            "vault": Contestant(f"vault-get s3://{name}/object >/dev/null"),
            "s5cmd": Contestant(f"s5cmd cat s3://{name}/object >/dev/null"),
            "s5cmd, 8 MiB": Contestant(
                f"s5cmd cat --part-size 8 --concurrency 4 s3://{name}/object >/dev/null"),
            "aws": Contestant(f"aws s3 cp --quiet s3://{name}/object - >/dev/null"),
            "rclone": Contestant(f"rclone cat :s3:{name}/object >/dev/null"),
        }
        runs = in_turns(contestants, room.rounds)
        shown = {n: c.replace(name, "bucket") for n, c in commands(contestants).items()}
    return told({"best": against_best(runs, "vault", PEERS)}, runs, shown, room.size)
