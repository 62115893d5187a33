#!/bin/bash
# swift-tests.sh [OPTION...]: swift test with these options, and its counts in one closing line.
set -u
cd "$(dirname "$0")/.." || exit
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# A line of Swift Testing begins with a mark, then 'Test <name> passed after …'.
outcomes() { grep -cE "^[^ ]+ +Test ([^ ]+\(.*\)|\".*\") ($1)" "$log"; }
passed=$(outcomes 'passed after|with [0-9]+ test cases passed after')
failed=$(outcomes 'failed after|with [0-9]+ test cases failed after')
skipped=$(outcomes 'skipped')
[ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$passed passed, $failed failed, $skipped skipped"
exit "$status"
