#!/bin/sh
# Runs the cases under cases/ and compares them with their golden neighbours: see README.md.
# usage: Tests/cli/run.sh [--update] [FILTER]
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cases=${CLI_CASES:-$here/cases}
limit=${CLI_LIMIT:-60}

# A case must not see the caller's accounts and settings.
clean_environment() {
  for name in $(env | sed -n 's/^\(\(AWS\|VAULT\|CLI\|SWIFT\)_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
  done
  unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy NO_PROXY no_proxy
  export LC_ALL=C SWIFT_BACKTRACE=enable=no PATH="$root/bin:$PATH" HOME="$work" TMPDIR="$work"
}

# golden NAME ACTUAL: says what differs from the golden file, or with --update rewrites it.
golden() {
  [ -e "$1" ] || return 0
  sed "s|$work|\$TMP|g" <"$2" >"$2.shown"
  if [ "$update" = yes ]; then
    cmp -s "$1" "$2.shown" || cp "$2.shown" "$1"
  elif ! cmp -s "$1" "$2.shown"; then
    echo "  ${1##*/} differs:"
    diff -u "$1" "$2.shown" | sed -n '3,42s/^/    /p'
    return 1
  fi
}

# The exit code, whose silent default is 0.
golden_exit() {
  expected=0
  [ ! -e "$1" ] || read -r expected <"$1"
  [ "$expected" != "$2" ] || return 0
  if [ "$update" = yes ]; then
    if [ "$2" = 0 ]; then rm -f "$1"; else echo "$2" >"$1"; fi
    return 0
  fi
  note=
  [ "$2" != 124 ] || note=" (124: it took more than $limit s)"
  echo "  exit $2 instead of $expected$note, standard error was:"
  sed -n '1,20s/^/    /p' "$3"
  return 1
}

run_case() {
  file=$1 results=$2 update=$3
  stem=${file%.sh}
  name=${stem#"$cases"/}
  work=$(mktemp -d) && out=$(mktemp -d) || exit 1
  (
    clean_environment
    cd "$work" && exec timeout -k 5 "$limit" "$file" </dev/null >"$out/stdout" 2>"$out/stderr"
  )
  code=$?
  log=$results/$(echo "$name" | tr / +)
  bad=0
  {
    golden_exit "$stem.exit" "$code" "$out/stderr" || bad=1
    golden "$stem.stdout" "$out/stdout" || bad=1
    golden "$stem.stderr" "$out/stderr" || bad=1
  } >"$log.text"
  if [ "$bad" = 0 ]; then : >"$log.passed"; else
    { echo "FAIL $name"; cat "$log.text"; } >"$log.failed"
    cat "$log.failed"
  fi
  if [ "${CLI_KEEP:-no}" = yes ]; then echo "kept $name in $work"; else rm -rf "$work"; fi
  rm -rf "$out" "$log.text"
}

update=no filter=
while [ $# -gt 0 ]; do
  case $1 in
    --one) run_case "$2" "$3" "$4"; exit 0 ;;
    --update) update=yes ;;
    -*) echo "run.sh: error: unknown option \"$1\"" >&2; exit 64 ;;
    *) filter=$1 ;;
  esac
  shift
done

results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export CLI_CASES="$cases" CLI_LIMIT="$limit"
find "$cases" -name '*.sh' | sort | grep -F -e "$filter" >"$results/list"
if ! [ -s "$results/list" ]; then
  echo "run.sh: error: no case is named like \"$filter\"" >&2
  exit 64
fi
xargs -P "${CLI_JOBS:-2}" -I CASE "$here/run.sh" --one CASE "$results" "$update" \
  <"$results/list"

count() { find "$results" -name "*.$1" | wc -l | tr -d ' '; }
total=$(wc -l <"$results/list")
passed=$(count passed)
echo "cli: $passed passed, $((total - passed)) failed"
[ "$passed" = "$((total))" ]
