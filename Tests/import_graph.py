"""import_graph.py: the arrows of docs/DESIGN.md, read from Package.swift and from every import."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEY_TOOLS = {"vault-hash", "vault-seal", "vault-chunk", "vault-open", "vault-key"}
NET_TOOLS = {"vault-put", "vault-get", "vault-drop"}
KEYS = {"VaultCrypto", "VaultSeal"}
NETWORK = {"VaultStore", "CCurl"}
PURE = {"VaultFault", "VaultText", "VaultFrame", "VaultRecord"}
# Who alone may import a module that talks to C.
ONLY = {
    "CLinux": {"VaultIO"},
    "Glibc": {"VaultIO"},
    "COpenSSL": {"VaultDigest", "VaultCrypto"},
    "CCurl": {"VaultStore"},
    "Foundation": set(),
    "Dispatch": set(),
}
ALWAYS = {"Swift", "Synchronization", "Glibc"}
IMPORT = re.compile(r"^(?:@\w+(?:\(\w+\))? +)*(?:(?:public|package|internal|private) +)?import +"
                    r"(?:struct +|enum +|func +|class +)?(\w+)", re.M)


def targets():
    text = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True,
                          stdout=subprocess.PIPE).stdout
    return {t["name"]: {next(iter(d.values()))[0] for d in t["dependencies"]}
            for t in json.loads(text)["targets"] if t["type"] != "test"}


def reach(graph, name, seen=None):
    seen = set() if seen is None else seen
    for other in graph.get(name, ()):
        if other not in seen:
            seen.add(other)
            reach(graph, other, seen)
    return seen


def graph_rules(graph):
    for name in graph:
        below = reach(graph, name)
        if name in NET_TOOLS | {"VaultStore"}:
            yield f"{name} reaches no module that holds keys", not below & KEYS
        if name in KEY_TOOLS | KEYS | {"VaultParts", "VaultCLI", "VaultIO", "VaultDigest"}:
            yield f"{name} reaches no module that opens sockets", not below & NETWORK
        if name in PURE:
            yield f"{name} is pure", below <= PURE
        yield f"{name} is not below itself", name not in below


def import_rules(graph):
    for name in graph:
        for file in sorted((ROOT / "Sources" / name).rglob("*.swift")):
            found = set(IMPORT.findall(file.read_text()))
            where = file.relative_to(ROOT)
            yield f"{where} imports only what Package.swift says", found <= graph[name] | ALWAYS
            for module in found & ONLY.keys():
                yield f"{where} may import {module}", name in ONLY[module]


def main():
    graph = targets()
    results = list(graph_rules(graph)) + list(import_rules(graph))
    broken = [rule for rule, holds in results if not holds]
    for rule in broken:
        print("broken:", rule)
    print(f"{len(results) - len(broken)} passed, {len(broken)} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
