"""Writes docs/BENCHMARKS.md of the kept results: each line of the goals, what stands beside, the runs."""

from arithmetic import median, span, verdict, worst
from goals import BESIDE, GOALS

MARKS = {"aim reached": "**reached**, the aim too", "reached": "**reached**", "missed": "**missed**",
         "not measured": "not measured", "": ""}
HEAD = """# What the tools cost, beside others

Written by `make bench` from `docs/bench/results.json`; only the notes are written by hand. A ratio is the
median of the ratios of each round, in parentheses the least and the most (of 20 rounds or more: the middle
half); contestants run in turns, in another order each round. Inputs have 1 GiB and were read just before,
where nothing else is said. Ratios of time below 1 are for the vault tools.
"""


def number(value, unit):
    if unit == "ratio":
        return f"{value:.2f}"
    if unit == "KiB":
        return f"{value / 1024:.1f} MiB"
    if unit == "%":
        return f"{value:+.1f} %"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"


def told(figure):
    text = number(figure["value"], figure["unit"])
    if figure["low"] != figure["high"]:
        low, high = (number(figure[k], figure["unit"]).split()[0] for k in ("low", "high"))
        text += f" ({low} to {high})"
    return text + (f", {figure['note']}" if figure["note"] else "")


class Report:
    def __init__(self, held, notes=""):
        self.parts, self.runs, self.notes = held["parts"], held["runs"], notes
        self.run_numbers = {key: n for n, key in enumerate(self.runs, 1)}

    def figure(self, bar):
        return self.parts.get(bar.part, {}).get("figures", {}).get(bar.figure)

    def verdict(self, goal):
        judged = []
        for bar in goal.bars:
            found = self.figure(bar)
            judged.append(verdict(found["value"], bar.must, bar.aim, goal.least) if found
                          else "not measured")
        return worst(judged)

    def measured(self, goal):
        pieces = []
        for bar in goal.bars:
            found = self.figure(bar)
            text = told(found) if found else "–"
            pieces.append(f"{bar.label} {text}".strip())
        return "; ".join(pieces) if any(map(self.figure, goal.bars)) else ""

    def run_of(self, goal):
        numbers = {self.run_numbers[self.parts[b.part]["run"]] for b in goal.bars
                   if b.part in self.parts}
        return ", ".join(map(str, sorted(numbers)))

    def row(self, goal):
        mark = MARKS[self.verdict(goal)]
        return f"| {goal.text} | {self.measured(goal)} | {goal.must} | {goal.aim} | {mark} | {self.run_of(goal)} |"

    def goals(self):
        yield "| comparison | measured | must | aim | | run |"
        yield "|---|---|---|---|---|---|"
        yield from map(self.row, GOALS)

    def beside(self):
        found = [(g.text, self.measured(g), self.run_of(g)) for g in BESIDE if self.measured(g)]
        if found:
            yield from ("", "## For comparison", "", "Nothing is demanded here.", "",
                        "| comparison | measured | run |", "|---|---|---|")
            yield from (f"| {text} | {measure} | {run} |" for text, measure, run in found)

    def missed(self):
        """The goals that are missed, so that the notes can be held against them."""
        return [goal for goal in GOALS if self.verdict(goal) == "missed"]

    def misses(self):
        """The notes as they are; before them, what is missed and has none under its name."""
        headings = set(self.notes.splitlines())
        silent = [g for g in self.missed() if f"### {g.name}" not in headings]
        if silent:
            yield from ("", "## Missed, and not looked into yet", "")
            yield from (f"- `{goal.name}`: {goal.text}" for goal in silent)
        yield from ("", self.notes.strip())

    def memory(self):
        figures = self.parts.get("memory", {}).get("figures", {})
        tools = dict.fromkeys(key.split()[0] for key in figures)
        sizes = dict.fromkeys(key.split(maxsplit=1)[1] for key in figures if key.endswith("iB"))
        if tools:
            yield from ("", "### Memory", "", "| tool | " + " | ".join(sizes) + " |",
                        "|---" * (len(sizes) + 1) + "|")
            for tool in tools:
                cells = (number(figures[f"{tool} {size}"]["value"], "KiB") for size in sizes)
                yield f"| {tool} | " + " | ".join(cells) + " |"

    def times(self):
        yield from ("", "## Times", "", "Medians of all rounds, and the span as above.")
        for name, part in self.parts.items():
            if part["runs"]:
                yield from ("", f"### {name}", "", "| | seconds | | rounds |", "|---|---|---|---|")
                yield from (self.time_row(part, *item) for item in part["runs"].items())
        yield from self.memory()

    @staticmethod
    def time_row(part, name, seconds):
        middle = median(seconds)
        rate = f"{part['bytes'] / middle / 1e9:.2f} GB/s" if part["bytes"] else ""
        low, high = span(seconds)
        return f"| {name} | {middle:.4g} ({low:.4g} to {high:.4g}) | {rate} | {len(seconds)} |"

    def commands(self):
        yield from ("", "## Commands", "", "Each stands alone in bash with `pipefail`, in a directory of its own. "
                    "`ideal-hash` and `ideal-seal` are Tests/Bench/ideal-*.c, built with `-O2`.")
        for name, part in self.parts.items():
            yield from ("", f"{name}:", "")
            yield from (f"    {who:14} {command}" for who, command in part["commands"].items())

    def machine(self):
        yield from ("", "## Runs", "", "A `+` after a commit: what was measured had changed since.", "",
                    "| run | began | commit | machine | kernel | load before |",
                    "|---|---|---|---|---|---|")
        for key, run in self.runs.items():
            machine = f"{run['cpu']}, {run['cores']} cores, {run['memory']}"
            yield (f"| {self.run_numbers[key]} | {run['began']} | {run['commit']} | {machine} | "
                   f"{run['kernel']} | {run['load']} |")
        if self.runs:
            latest = max(self.runs.values(), key=lambda run: run["began"])
            yield from ("", "Versions of the latest run:", "")
            yield from (f"- {name}: {text}" for name, text in latest["versions"].items())

    def lines(self, pictures):
        yield HEAD
        yield from self.goals()
        yield from ("", *pictures)
        yield from self.beside()
        yield from self.misses()
        yield from self.times()
        yield from self.commands()
        yield from self.machine()

    def text(self, pictures=()):
        return "\n".join(self.lines(pictures)) + "\n"
