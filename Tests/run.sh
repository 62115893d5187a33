#!/bin/bash
# run.sh check|test|soak: runs the parts listed in Tests/parts and closes with the sum of their counts.
# run.sh --servers: the parts that need servers, called by with-servers.sh.
set -u
cd "$(dirname "$0")/.." || exit
logs=.build/test-logs
results=$logs/results
limit=${VAULT_TEST_LIMIT:-900} # seconds for one part

# count WORD LOG: the number before WORD in the last closing line.
count() {
  grep -E '^([a-z-]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$2" | tail -n 1 |
    grep -oE "[0-9]+ $1" | cut -d ' ' -f 1
}

# run_part NAME COMMAND...
run_part() {
  local name=$1 log=$logs/$1.log begun=${EPOCHREALTIME/./} status passed failed skipped excused
  shift
  timeout -k 5 "$limit" "$@" >"$log" 2>&1 </dev/null
  status=$?
  passed=$(count passed "$log") failed=$(count failed "$log") skipped=$(count skipped "$log")
  excused=$(grep -c 'skipped: .* is missing' "$log")
  if [ -z "$passed" ]; then passed=$((status == 0)) failed=0; fi
  # A part that fails without saying what, or that ran nothing, counts as one failure.
  if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then failed=1; fi
  : "${skipped:=0}"
  [ "$skipped" -le "$excused" ] || failed=$((failed + skipped - excused))
  printf '%-10s %7.1f s  %s passed, %s failed, %s skipped\n' "$name" \
    "$(((${EPOCHREALTIME/./} - begun) / 100000))e-1" "$passed" "$failed" "$skipped"
  echo "$passed $failed $skipped" >>"$results"
  [ "$failed" -eq 0 ] || explain "$log" "$status"
}

explain() {
  echo "---- status $2, the end of $1:"
  tail -n "${VAULT_TEST_TAIL:-80}" "$1"
  echo "----"
}

run_group() {
  local name when command
  while read -r name when command; do
    [ "$name $when" = "${name%%#*} $1" ] || continue # not a comment, and of this group
    # The command is split into words on purpose; the list has no quotes.
    # shellcheck disable=SC2086
    run_part "$name" $command
    [ "$name" != build ] || [ "$(tail -n 1 "$results" | cut -d ' ' -f 2)" = 0 ] || break
  done <Tests/parts
}

close() {
  awk '{ p += $1; f += $2; s += $3 }
    END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }' "$results"
}

case ${1-} in
--servers)
  run_group servers
  exit 0
  ;;
check | test) ;;
soak) limit=${VAULT_TEST_LIMIT:-7200} ;;
*)
  echo "run.sh: error: give check, test or soak" >&2
  exit 64
  ;;
esac

mkdir -p "$logs"
: >"$results"
if [ "$1" = soak ]; then run_group soak; else run_group check; fi
if [ "$1" = test ]; then
  run_group test
  if grep -qE '^[a-z0-9-]+ +servers ' Tests/parts && ! Tests/servers/with-servers.sh Tests/run.sh --servers; then
    echo '0 1 0' >>"$results"
  fi
fi
echo "time       $SECONDS s"
close
