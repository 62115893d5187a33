"""The parts of the bench: each has run(room) and gives figures, the runs behind them and the commands.

Those in SERVED need the S3 server of Tests/servers around them.
"""

import importlib

SERVED = ("put", "get", "memory")


def load(name):
    return importlib.import_module(f"parts.{name}")


def told(figures, runs, commands, size=None):
    """What a part gives back: `size` is the bytes of each run, where a rate can be told."""
    return {"figures": figures, "runs": runs, "commands": commands, "bytes": size}


def commands(contestants):
    return {name: c.command for name, c in contestants.items()}
