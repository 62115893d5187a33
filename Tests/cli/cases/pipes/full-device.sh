#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data >plain
vault-seal -R me.txt plain >sealed
full() { say "$*"; run "$@" >/dev/full; }
full vault-hash data
full vault-hash --print data
full vault-hash --framed plain
full vault-seal -R me.txt plain
full vault-seal -R me.txt --raw data
full vault-chunk sealed
full vault-open -i me.key sealed
full vault-open -i me.key --check sealed
full vault-open --inspect sealed
full vault-open -i me.key --framed sealed
full vault-key public me.key
full vault-key new
full vault-hash --help
full vault-hash --version
