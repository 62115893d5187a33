#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
check() { vault-hash --framed >copy; echo "end: $(od -An -c -j $(($(wc -c <copy) - 40)) -N 1 copy | tr -d ' ')"; }
say 'a command that ends well'
run vault-hash -- sh -c 'echo study' | check
say 'a command that fails'
run vault-hash -- sh -c 'echo study; exit 3' >out
run vault-hash --framed out >out2
say 'a command that is killed'
run vault-hash -- sh -c 'kill -9 $$' >out
say 'a command that is not there'
run vault-hash -- ./nowhere >out
wc -c <out
