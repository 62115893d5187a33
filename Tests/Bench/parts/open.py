"""vault-open beside age -d: each opens what its own side sealed of the same data.

With --skip-digest vault-open does what age does: it authenticates and decrypts. Without it, it takes the
SHA3-256 of all that it writes as well, which is told beside.
"""

from arithmetic import paired_ratio
from parts import commands, told
from room import has_option
from runner import Contestant, in_turns


def run(room):
    sealed, aged = room.sealed(), room.aged()
    skip = " --skip-digest" if has_option("vault-open", "--skip-digest") else ""
    whole = Contestant(f"vault-open -i team.key <{sealed} >/dev/null", (sealed,))
    contestants = {
        "vault-open": Contestant(f"vault-open{skip} -i team.key <{sealed} >/dev/null", (sealed,)),
        "age": Contestant(f"age -d -i team.key <{aged} >/dev/null", (aged,)),
    }
    if skip:
        contestants["with digest"] = whole
    runs = in_turns(contestants, room.rounds)
    ours = runs.get("with digest", runs["vault-open"])
    note = "" if skip else "with its digest: there is no --skip-digest"
    figures = {"age": paired_ratio(runs["vault-open"], runs["age"], note),
               "with digest": paired_ratio(ours, runs["age"])}
    return told(figures, runs, commands(contestants), room.size)
