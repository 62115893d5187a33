#!/bin/sh
# venv.sh: the Python of the tests in .build/venv, made once for each list of requirements.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/.build/venv
list=$root/Tests/requirements.txt
if ! cmp -s "$list" "$venv/made-from"; then
  rm -rf "$venv"
  mkdir -p "$root/.build"
  python3 -m venv "$venv"
  # Every package is in the list with its version, so none brings others in.
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r "$list"
  cp "$list" "$venv/made-from"
fi
