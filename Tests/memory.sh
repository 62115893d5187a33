#!/bin/bash
# The bound on memory (docs/DESIGN.md): 16 MiB for each filter, whether 64 MiB go through or 4 GiB, and
# whatever stands in a label.
set -u
cd "$(dirname "$0")/.." || exit
tests=$PWD/Tests
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
labelled() { # TOOL FOLDER ARGUMENT...: every stream of FOLDER, each with the status of its name
  local tool=$1 folder=$2 file status kib most=0
  shift 2
  for file in "$folder"/*; do
    measured label "vault-$tool" "$@" <"$file" >/dev/null 2>&1
    status=$?
    kib=$(tail -n 1 label.kib)
    [ "$kib" -le "$most" ] || most=$kib
    if [ "$status" -eq "$(basename "${file%%-*}")" ] && [ "$kib" -le "$limit" ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED vault-$tool: $(basename "$file"): exit $status, $kib KiB"
    fi
  done
  echo "vault-$tool: $most KiB at most with the labels of $folder"
}

mkdir plain sealed
echo hello >file
echo '{"source":"file"}' | vault-get --as plain --rows - 2>get.err | vault-hash --framed >plain.batch
vault-seal -R recipient <plain.batch >sealed.batch
python3 "$tests/labels.py" plain.batch plain && python3 "$tests/labels.py" sealed.batch sealed ||
  failed=$((failed + 1))
labelled seal plain -R recipient
labelled open sealed -i key --check
echo "memory: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
