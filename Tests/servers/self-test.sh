#!/bin/bash
# self-test.sh: with-servers.sh leaves no process and no directory, however it ends.
set -u
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d)
export TMPDIR=$room
trap 'rm -rf "$room"' EXIT
passed=0 failed=0

# Command lines that name our directory: the servers themselves.
survivors() { grep -lzF "$room/vault-servers" /proc/[0-9]*/cmdline 2>/dev/null; }

check() { # WHAT STATUS EXPECTED
  local tries
  for tries in {1..30}; do
    [ -n "$(survivors)" ] || break
    sleep 0.1
  done
  if [ "$2" -eq "$3" ] && [ -z "$(survivors)" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $1: status $2 instead of $3, after $tries looks still there: $(survivors)"
  fi
}

VAULT_TEST_SERVERS=seaweed "$here/with-servers.sh" sh -c 'exit 7'
check "the command's status is its own" $? 7

for signal in TERM KILL; do
  rm -f "$room/up"
  VAULT_TEST_SERVERS=seaweed "$here/with-servers.sh" sh -c "touch '$room/up'; exec sleep 60" &
  pid=$!
  for _ in {1..200}; do
    [ ! -e "$room/up" ] || break
    sleep 0.1
  done
  kill -s "$signal" "$pid"
  wait "$pid" 2>/dev/null
  check "it ends by SIG$signal" $? $((128 + $(kill -l "$signal")))
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
