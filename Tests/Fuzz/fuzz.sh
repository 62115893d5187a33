#!/bin/bash
# fuzz.sh SECONDS [TARGET...]: each parser under libFuzzer for so long, from the seeds of the vectors.
# A finding is kept in .build/fuzz/findings and fails the run.
set -u
cd "$(dirname "$0")/../.." || exit
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- frames text envelope space keys json xml
work=.build/fuzz
passed=0 failed=0

VAULT_FUZZ=1 swift build --scratch-path "$work" -c debug -Xswiftc -O -Xswiftc -enable-testing \
  -Xswiftc -sanitize=fuzzer --product vault-fuzz || exit
mkdir -p "$work/findings"
python3 Tests/Fuzz/seeds.py "$work/seeds" || exit
for target; do
  mkdir -p "$work/corpus/$target"
  log=$work/$target.log
  VAULT_FUZZ_TARGET=$target SWIFT_BACKTRACE=enable=no "$work/debug/vault-fuzz" \
    -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$work/findings/$target-" "$work/corpus/$target" "$work/seeds/$target" \
    >"$log" 2>&1
  status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1)
  echo "fuzz: $target: ${runs:-0} runs, ${coverage:-no coverage}, exit $status"
  if [ "$status" -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    tail -n 15 "$log"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
