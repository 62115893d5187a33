"""A sealed object to S3: vault-chunk and vault-put beside the uploads from standard input of the peers.

s5cmd takes parts of 50 MiB unless told otherwise, so it also gets parts of the size of ours. rclone is told the
size, without which it is slower.
"""

import os

from arithmetic import against_best
from bucket import bucket, configure
from parts import commands, told
from runner import Contestant, in_turns

PEERS = ("s5cmd", "s5cmd, 8 MiB", "aws", "rclone")


def all_of(sealed, parts, name):
    size = os.path.getsize(sealed)

    def to(key):
        return f"s3://{name}/{key}"

    return {
        "vault": Contestant(f"vault-chunk <{sealed} | vault-put {to('vault')} >receipt", (sealed,)),
        "parts": Contestant(f"vault-put {to('parts')} <{parts} >receipt", (parts,)),
        "s5cmd": Contestant(f"s5cmd pipe {to('s5cmd')} <{sealed}", (sealed,)),
        "s5cmd, 8 MiB": Contestant(
            f"s5cmd pipe --part-size 8 --concurrency 8 {to('s5cmd-8')} <{sealed}", (sealed,)),
        "aws": Contestant(f"aws s3 cp --quiet --expected-size {size} - {to('aws')} <{sealed}",
                          (sealed,)),
        "rclone": Contestant(f"rclone rcat --size {size} :s3:{name}/rclone <{sealed}", (sealed,)),
    }


def run(room):
    configure()
    sealed, parts = room.sealed(), room.parts()
    room.need_disk(7 * room.size)
    runs = {}
    rounds = room.scaled(5, 1)
    for number in range(-1, rounds):
        with bucket() as name:
            contestants = all_of(sealed, parts, name)
            once = in_turns(contestants, 1, warm_up=0, first=number + 1)
        for contestant, seconds in once.items():
            runs.setdefault(contestant, []).extend(seconds if number >= 0 else [])
    figures = {"best": against_best(runs, "vault", PEERS), "parts": against_best(runs, "parts", PEERS)}
    shown = {n: c.replace(name, "bucket") for n, c in commands(contestants).items()}
    return told(figures, runs, shown, room.size)
