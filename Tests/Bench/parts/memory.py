"""The most memory of every tool, in one pipeline to S3 and one back, at three sizes. A generator makes the
bytes, so only the stored object needs room."""

from arithmetic import figure
from bucket import bucket, configure
from goals import SIZES
from parts import told
from runner import kibibytes, measured, shell

UP, DOWN = ("hash", "seal", "chunk", "put"), ("get", "open")
TOOLS = UP + DOWN
MIB = 1 << 20


def up(size, name):
    stages = {"hash": "vault-hash", "seal": "vault-seal -R team.txt", "chunk": "vault-chunk",
              "put": f"vault-put s3://{name}/object >receipt"}
    return " | ".join([f"head -c {size} /dev/zero", *(measured(n, stages[n]) for n in UP)])


def down(name):
    stages = {"get": f"vault-get s3://{name}/object",
              "open": "vault-open -i team.key >/dev/null"}
    return " | ".join(measured(n, stages[n]) for n in DOWN)


def peaks(size, times):
    """KiB of each tool: the most of so many passes."""
    most = dict.fromkeys(TOOLS, 0)
    for _ in range(times):
        with bucket() as name:
            shell(up(size, name))
            shell(down(name))
        most = {tool: max(most[tool], kibibytes(tool)) for tool in TOOLS}
    return most


def run(room):
    configure()
    sizes = {label: room.scaled(size, size // 256) for label, size in SIZES}
    room.need_disk(1.3 * max(sizes.values()))
    seen = {label: peaks(size, 3 if size <= 1024 * MIB else 1) for label, size in sizes.items()}
    figures = {f"{tool} {label}": figure([seen[label][tool]], "KiB")
               for tool in TOOLS for label in seen}
    least, most = seen[SIZES[0][0]], seen[SIZES[-1][0]]
    for tool in TOOLS:
        figures[f"{tool} most"] = figure([max(seen[label][tool] for label in seen)], "KiB")
        figures[f"{tool} growth"] = figure([most[tool] - least[tool]], "KiB")
    shown = {"up": up("SIZE", "bucket"), "down": down("bucket")}
    return told(figures, {}, shown)
