#!/bin/sh
# venv.sh [spark]: the Python of the tests in .build/venv, or that of Tests/spark in .build/spark, made once
# for each list of requirements.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/.build/venv
list=$root/Tests/requirements.txt
if [ "${1-}" = spark ]; then
  venv=$root/.build/spark
  list=$root/Tests/spark/requirements.txt
fi
if ! cmp -s "$list" "$venv/made-from"; then
  rm -rf "$venv"
  mkdir -p "$root/.build"
  python3 -m venv "$venv"
  # Every package is in the list with its version, so none brings others in.
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r "$list"
  cp "$list" "$venv/made-from"
fi
