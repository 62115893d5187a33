"""vault-key rewrap on one core: receipts whose slots go from an old key to a new one."""

from arithmetic import rate
from parts import commands, told
from runner import BenchError, Contestant, in_turns, shell

KEYS = {
    "x25519": ("vault-key new -o old.key && vault-key public old.key >old.txt && "
               "vault-key new -o new.key && vault-key public new.key >new.txt", "-R old.txt",
               "-i old.key -R new.txt"),
    "key": ("(umask 077; head -c 32 /dev/urandom >old.kek; head -c 32 /dev/urandom >new.kek)",
            "--key-file old.kek", "--key-file old.kek --to-key-file new.kek"),
}


def make_receipts(kind, count):
    """Real receipts, of items of a few bytes that are sealed into a store in the room."""
    make_keys, reader, _ = KEYS[kind]
    shell(make_keys)
    shell(f"mkdir -p tiny; for n in $(seq {count}); do echo $n >tiny/$n; "
          f"echo '{{\"source\":\"tiny/'$n'\"}}'; done >tiny.jsonl")
    shell(f"vault-get --as plain --rows tiny.jsonl | vault-hash --framed | vault-seal {reader} | "
          f"vault-chunk | vault-put --make-directories '{kind}.store/{{item}}' >{kind}.receipts")
    shell(f"rm -rf tiny {kind}.store")


def check(kind, count):
    """The output has as many lines, and each has another envelope."""
    with open(f"{kind}.receipts") as old, open(f"{kind}.rewrapped") as new:
        changed = sum(a != b for a, b in zip(old, new, strict=True))
    if changed != count:
        raise BenchError(f"{changed} of {count} receipts of {kind} were rewrapped")


def run(room):
    counts = {"x25519": room.scaled(5000, 50), "key": room.scaled(20000, 200)}
    contestants = {}
    for kind, count in counts.items():
        make_receipts(kind, count)
        rewrap = f"vault-key rewrap {KEYS[kind][2]} <{kind}.receipts >{kind}.rewrapped"
        contestants[kind] = Contestant(f"taskset -c 0 {rewrap}", (f"{kind}.receipts",))
    runs = in_turns(contestants, room.rounds)
    for kind, count in counts.items():
        check(kind, count)
    figures = {kind: rate(count, runs[kind], "receipts/s") for kind, count in counts.items()}
    return told(figures, runs, commands(contestants))
