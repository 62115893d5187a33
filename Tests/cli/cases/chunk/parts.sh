#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
say 'a plain stream, raw bytes, nothing'
vault-hash data | run vault-chunk >out
run vault-chunk data >out
run vault-chunk </dev/null >out
say 'sizes that no store takes'
run vault-chunk --part-size 1MiB data
run vault-chunk --max-parts 0 data
say 'a sealed stream'
vault-seal --raw -R me.txt data >sealed
run vault-chunk sealed >out
head -c 8 out | od -An -c
say 'cut'
head -c 20000 sealed | run vault-chunk >out
say 'more than fits'
head -c 12000000 /dev/zero | vault-seal --raw -R me.txt | run vault-chunk --part-size 5MiB --max-parts 2 >out
