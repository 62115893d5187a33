"""The whole pipeline into the directory store, beside what bounds it and what people do without it.

vault-put makes its file durable before it prints a receipt; `cat >file` does not. The same pipeline
into memory shows what the disk costs.
"""

from arithmetic import paired_ratio
from parts import commands, told
from room import has_option, memory_directory
from runner import Contestant, in_turns, shell

RESTIC = "RESTIC_PASSWORD=bench restic --no-cache --quiet -r restic"


def ours(data, store, digest=""):
    return (f"vault-hash{digest} <{data} | vault-seal -R team.txt | vault-chunk | "
            f"vault-put --make-directories '{store}/{{item}}' >receipt")


def all_of(data):
    contestants = {
        "pipeline": Contestant(ours(data, "store"), (data,), ("store",)),
        "bare": Contestant(f"ideal-hash <{data} >/dev/null", (data,)),
        "tee": Contestant(f"tee >(openssl dgst -sha3-256 >sum) <{data} | age -R team.txt | cat >file",
                          (data,), ("file",)),
        "tmpfs": Contestant(ours(data, "memory/store"), (data,), ("memory/store",)),
        "restic": Contestant(f"{RESTIC} backup --stdin <{data}", (data,), ("restic",),
                             lambda: shell(f"{RESTIC} init")),
    }
    if has_option("vault-hash", "--digest"):
        contestants["sha256"] = Contestant(ours(data, "store", " --digest sha256"), (data,), ("store",))
    return contestants


def run(room):
    room.need_disk(4 * room.size)
    with memory_directory("memory"):
        contestants = all_of(room.data())
        runs = in_turns(contestants, room.rounds)
    figures = {name: paired_ratio(runs["pipeline"], runs[name]) for name in ("bare", "tee", "restic")}
    figures["tmpfs"] = paired_ratio(runs["tmpfs"], runs["bare"])
    if "sha256" in runs:
        figures["sha256"] = paired_ratio(runs["sha256"], runs["pipeline"])
    return told(figures, runs, commands(contestants), room.size)
