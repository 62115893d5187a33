#!/bin/sh
# shellcheck disable=SC2016  # golden files hold a literal $TMP
# The harness itself: what it passes, what it fails, what --update writes.
set -eu
run=$(dirname "$0")/../../run.sh
mkdir cases cases/deep

new() { # NAME, then the lines of the case
  { echo '#!/bin/sh'; cat; } >"cases/$1.sh"
  chmod +x "cases/$1.sh"
}
check() { CLI_CASES=$PWD/cases CLI_LIMIT=2 "$run" "$@" 2>&1; }

echo '- silent defaults: exit 0, output not looked at'
new quiet <<'X'
echo chatter; echo more >&2
X
check

echo '- golden exit, output with a temporary path, binary output'
new deep/golden <<'X'
echo "in $PWD"; printf '\000\377\n'; echo "no \"$TMPDIR/x\"" >&2; exit 65
X
echo 65 >cases/deep/golden.exit
printf 'in $TMP\n\000\377\n' >cases/deep/golden.stdout
echo 'no "$TMP/x"' >cases/deep/golden.stderr
check

echo '- a filter chooses by name'
check deep/ || true
check nothing || echo "exit $?"

echo '- differences fail'
new fails <<'X'
echo now; exit 3
X
echo before >cases/fails.stdout
check fails || echo "exit $?"

echo '- a case that hangs fails'
new hangs <<'X'
sleep 30
X
check hangs || echo "exit $?"
rm cases/hangs.sh

echo '- update rewrites what is there and the exit code'
check --update fails
cat cases/fails.stdout cases/fails.exit
check

echo '- a case sees a clean environment and an empty directory'
new clean <<'X'
env | grep -E '^(AWS|VAULT)_' && exit 1
ls -A; echo "$LC_ALL $HOME"
X
echo 'C $TMP' >cases/clean.stdout
AWS_SECRET_ACCESS_KEY=x VAULT_PASSWORD_FILE=y check clean
