#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
printf 12345 >data
for option in --max-bytes=4 --max-bytes=5 --expect-bytes=4 --expect-bytes=6 --expect-bytes=5 --refuse-empty; do
  say "$option"
  run vault-hash $option data >out
done
say 'nothing at all'
run vault-hash --refuse-empty </dev/null >out
say 'another digest'
run vault-hash --expect-sha3-256 0000000000000000000000000000000000000000000000000000000000000000 data >out
say 'the right digest'
run vault-hash --expect-sha3-256 "$(vault-hash --print data | head -c 64)" data >out
say 'an abort stands where the end would, and the next stage says so'
vault-hash --max-bytes=4 data 2>/dev/null | run vault-hash --framed >out
say 'what is not framed'
run vault-hash --framed data >out
say 'what is cut'
vault-hash data | head -c 100 | run vault-hash --framed >out
