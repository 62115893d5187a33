"""Medians, paired ratios and verdicts: the arithmetic of the bench, and nothing else."""

import statistics

median = statistics.median


MANY = 20


def span(values):
    """The least and the most; of many, where one in a hundred is a hiccup, the middle half."""
    if len(values) < MANY:
        return min(values), max(values)
    low, _, high = statistics.quantiles(values, n=4)
    return low, high


def figure(values, unit, note=""):
    """What is told of several measurements of one thing: the median and the span."""
    low, high = span(values)
    return {"value": median(values), "low": low, "high": high, "unit": unit, "note": note}


def paired_ratio(ours, theirs, note=""):
    """The median of the ratios of each round: what disturbed a round disturbed both sides of it."""
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} rounds against {len(theirs)}")
    return figure([a / b for a, b in zip(ours, theirs)], "ratio", note)


def against_best(runs, ours, peers):
    """Our ratio to the peer with the least median, which the note names."""
    best = min(peers, key=lambda name: median(runs[name]))
    return paired_ratio(runs[ours], runs[best], f"best: {best}")


def rate(count, seconds, unit):
    """Things a second, of several runs over `count` things."""
    return figure([count / s for s in seconds], unit)


def holds(value, limit, least=False):
    """Whether a value keeps a limit: at most it, or at least it; a drift counts in both directions."""
    return value >= limit if least else abs(value) <= limit


def verdict(value, must, aim, least=False):
    if must is None:
        return ""
    if not holds(value, must, least):
        return "missed"
    return "aim reached" if aim is not None and holds(value, aim, least) else "reached"


def worst(verdicts):
    """The verdict of a row that has several figures; one that is not there weighs most."""
    order = ["not measured", "missed", "reached", "aim reached", ""]
    return min(verdicts, key=order.index, default="not measured")
