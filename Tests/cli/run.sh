#!/bin/bash
# run.sh [--bless] [NAME...]: runs each Tests/cli/*/*.sh in an empty directory, with the built tools
# first in PATH, and compares with the neighbours NAME.stdout, NAME.stderr (no file: must be empty)
# and NAME.exit (no file: 0). --bless writes the neighbours anew instead.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export PATH="$root/bin:$PATH" LC_ALL=C.UTF-8 TZ=UTC VAULT_CLI_DATA=$here/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bless=
[ "${1-}" != --bless ] || { bless=1 && shift; }
passed=0 failed=0

# put_or_remove FILE NEIGHBOUR DEFAULT: a neighbour that says only the default has no file.
put_or_remove() {
  if printf %s "$3" | cmp -s - "$1"; then rm -f "$2"; else cp "$1" "$2"; fi
}

same() { # FILE NEIGHBOUR DEFAULT
  if [ -e "$2" ]; then
    diff -u --label expected --label found "$2" "$1"
  else
    printf %s "$3" | diff -u --label "expected (no $(basename "$2"))" --label found - "$1"
  fi
}

run_case() {
  local case=$1 base=${1%.sh} room out
  room=$(mktemp -d "$work/XXXXXX")
  out=$(mktemp -d "$work/XXXXXX")
  (cd "$room" && HOME=$room timeout -k 2 60 sh "$case" >"$out/stdout" 2>"$out/stderr" </dev/null)
  printf '%s\n' "$?" >"$out/exit"
  if [ -n "$bless" ]; then
    put_or_remove "$out/stdout" "$base.stdout" ''
    put_or_remove "$out/stderr" "$base.stderr" ''
    put_or_remove "$out/exit" "$base.exit" $'0\n'
  else
    same "$out/exit" "$base.exit" $'0\n' && same "$out/stdout" "$base.stdout" '' &&
      same "$out/stderr" "$base.stderr" ''
  fi
}

for case in "$here"/*/*.sh; do
  [ -e "$case" ] || continue
  name=${case#"$here/"}
  [ $# -eq 0 ] || [[ " $* " == *" ${name%.sh} "* ]] || continue
  if run_case "$case"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: ${name%.sh}"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
