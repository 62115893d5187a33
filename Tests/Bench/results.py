"""What was measured, kept as JSON: the last result of each part, and the run that it is of."""

import json
import os


class Results:
    def __init__(self, path):
        self.path = path

    def read(self):
        try:
            return json.loads(self.path.read_text())
        except FileNotFoundError:
            return {"parts": {}, "runs": {}}

    def keep(self, name, result, run):
        """Puts the result of a part in the place of its last one; runs that no part is of any more go."""
        held = self.read()
        key = f"{run['began']} {run['commit']}"
        held["runs"][key] = run
        held["parts"][name] = {**result, "run": key}
        wanted = {part["run"] for part in held["parts"].values()}
        held["runs"] = {k: held["runs"][k] for k in sorted(wanted)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(rounded(held), indent=1, ensure_ascii=False) + "\n")
        os.replace(new, self.path)


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return value
