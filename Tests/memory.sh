#!/bin/bash
# The bound on memory (docs/DESIGN.md): 16 MiB for each filter, whether 64 MiB go through or 4 GiB.
set -u
cd "$(dirname "$0")/.." || exit
export PATH=$PWD/bin:$PATH LC_ALL=C
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
limit=16384 # KiB
passed=0 failed=0

measured() { # NAME COMMAND...: notes the most memory it had, in KiB
  local name=$1
  shift
  /usr/bin/time -o "$name.kib" -f %M "$@"
}

check() { # SIZE
  local tool kib
  for tool in hash seal chunk open; do
    kib=$(tail -n 1 "$tool.kib")
    echo "X05 vault-$tool: $kib KiB at $1"
    if [ "$kib" -le "$limit" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
}

vault-key new -o key 2>/dev/null
vault-key public key >recipient
for mebibytes in 64 4096; do
  # One run of all four: the sealed stream is opened and cut at the same time.
  head -c "${mebibytes}M" /dev/zero | measured hash vault-hash | measured seal vault-seal -R recipient |
    tee >(measured chunk vault-chunk >/dev/null; touch cut) | measured open vault-open -i key |
    cmp -n "${mebibytes}M" - /dev/zero
  [ "${PIPESTATUS[*]}" = "0 0 0 0 0 0" ] || failed=$((failed + 1))
  while [ ! -e cut ]; do sleep 0.1; done
  rm cut
  check "$mebibytes MiB"
done
echo "memory: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
