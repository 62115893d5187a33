"""The pictures of docs/BENCHMARKS.md: ratios against their musts, speeds, memory."""

import re

from arithmetic import median
from goals import FILTERS, FILTER_LIMIT, GOALS, NETWORK_LIMIT, SIZES
from report import Report, number
from svg import Bars

SPEEDS = ("hash", "seal", "open", "pipeline", "put", "get")
PEERS = {"ideal", "age", "gpg", "python", "bare", "tee", "restic", "s5cmd", "s5cmd, 8 MiB", "aws",
         "rclone"}


SHORT = {
    "seal-ideal": "vault-seal / ideal C seal filter",
    "pipeline-bare": "pipeline to a file / bare SHA3-256",
    "pipeline-tee": "pipeline / openssl, age and cat",
    "pipeline-sha256": "pipeline with SHA-256 / with SHA3-256",
    "put": "put to S3 / best of s5cmd, aws, rclone",
    "get": "get from S3 / best of s5cmd, aws, rclone",
}


def label(goal, bar):
    """A line of the table, shorter and without Markdown."""
    if bar.label:
        return f"start-up of {bar.label} / openssl dgst"
    return SHORT.get(goal.name) or re.sub(r"[`\\]", "", goal.text)


def ratios(held):
    report = Report(held)
    rows = [(goal, bar, report.figure(bar)) for goal in GOALS for bar in goal.bars]
    rows = [row for row in rows if row[2] and row[2]["unit"] == "ratio"]
    if not rows:
        return None
    bars = Bars("Ratios of time: line = must, dashed = aim; less is better",
                max(1.6, 1.05 * max(figure["value"] for _, _, figure in rows)))
    for goal, bar, figure in rows:
        kind = "good" if figure["value"] <= bar.must else "bad"
        bars.bar(label(goal, bar), figure["value"], kind, number(figure["value"], "ratio"), bar.must, bar.aim)
    return bars.text()


def speeds(held):
    parts = {name: held["parts"][name] for name in SPEEDS if name in held["parts"]}
    found = {name: {who: part["bytes"] / median(runs) / 1e9 for who, runs in part["runs"].items()}
             for name, part in parts.items()}
    if not found:
        return None
    bars = Bars("GB/s of the data; more is better", max(max(f.values()) for f in found.values()))
    for name, rates in found.items():
        bars.head(name)
        for who, rate in rates.items():
            bars.bar(who, rate, "peer" if who in PEERS else "ours", f"{rate:.2f}")
    return bars.text()


def memory(held):
    figures = held["parts"].get("memory", {}).get("figures")
    if not figures:
        return None
    limits = {**dict.fromkeys(FILTERS, FILTER_LIMIT), **NETWORK_LIMIT}
    bars = Bars("Most memory, MiB: line = must", 1.05 * max(limits.values()))
    for tool, limit in limits.items():
        bars.head(f"vault-{tool}")
        for size, _ in SIZES:
            peak = figures[f"{tool} {size}"]["value"]
            bars.bar(size, peak, "good" if peak <= limit else "bad", number(peak, "KiB"), limit)
    return bars.text()


PICTURES = {"ratios": (ratios, "ratios of time"), "speeds": (speeds, "speeds"),
            "memory": (memory, "most memory")}


def draw(held, directory):
    """Draws what there are results for; gives names and titles of the pictures."""
    directory.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for name, (picture, title) in PICTURES.items():
        text = picture(held)
        if text:
            (directory / f"{name}.svg").write_text(text)
            drawn[name] = title
    return drawn
