"""Time from 1 to 16 GiB out of a generator: how far 16 GiB are from sixteen times 1 GiB, in percent."""

from arithmetic import figure, median
from parts import told
from runner import shell

GIB = 1 << 30
CHAINS = {
    "hash": "vault-hash >/dev/null",
    "hash to chunk": "vault-hash | vault-seal -R team.txt | vault-chunk >/dev/null",
    "hash to open": "vault-hash | vault-seal -R team.txt | vault-open -i team.key >/dev/null",
}
TIMES = {1: 4, 4: 2, 16: 1}  # sizes in GiB, and how often each is taken in a block
BLOCKS = 1


def command(chain, size):
    return f"head -c {size} /dev/zero | {chain}"


def drift(runs, name, least, most):
    """Percent that a GiB of the longest runs takes more than one of the shortest."""
    one = median(runs[f"{name}, {least} GiB"]) / least
    return figure([100 * (s / most / one - 1) for s in runs[f"{name}, {most} GiB"]], "%")


def block(room, runs):
    """The short runs stand around the long one, so that a slow hour is in both."""
    for name, chain in CHAINS.items():
        for size, times in TIMES.items():
            taken = runs.setdefault(f"{name}, {size} GiB", [])
            for _ in range(times // 2):
                taken.append(shell(command(chain, room.scaled(size * GIB, size * GIB // 256))))
        for size, times in reversed(TIMES.items()):
            taken = runs[f"{name}, {size} GiB"]
            for _ in range(times - times // 2):
                taken.append(shell(command(chain, room.scaled(size * GIB, size * GIB // 256))))


def run(room):
    runs = {}
    for _ in range(room.scaled(BLOCKS, 1)):
        block(room, runs)
    figures = {name: drift(runs, name, min(TIMES), max(TIMES)) for name in CHAINS}
    return told(figures, runs, {name: command(chain, "SIZE") for name, chain in CHAINS.items()})
