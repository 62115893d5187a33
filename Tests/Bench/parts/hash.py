"""vault-hash beside the ideal hash filter: the same file, the same sink."""

from arithmetic import paired_ratio
from parts import commands, told
from runner import Contestant, in_turns


def run(room):
    data = room.data()
    contestants = {
        "vault-hash": Contestant(f"vault-hash <{data} >/dev/null", (data,)),
        "ideal": Contestant(f"ideal-hash <{data} >/dev/null", (data,)),
    }
    runs = in_turns(contestants, room.rounds)
    figures = {"ideal": paired_ratio(runs["vault-hash"], runs["ideal"])}
    return told(figures, runs, commands(contestants), room.size)
