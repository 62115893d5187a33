#!/bin/bash
# Tries every flip of a bit and every cut of a small sealed object, in two processes.
set -u
cd "$(dirname "$0")/.." || exit
tool=.build/release/vault-forgery
results=$(mktemp) || exit
trap 'rm -f "$results"' EXIT
"$tool" 0 2 >"$results.0" &
"$tool" 1 2 >"$results.1"
wait
awk '{ p += $1; f += $3 } END { print "forgeries: " p " passed, " f " failed"; exit f > 0 || NR != 2 }' \
  "$results.0" "$results.1"
status=$?
rm -f "$results.0" "$results.1"
exit "$status"
