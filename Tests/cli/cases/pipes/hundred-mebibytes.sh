#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
say '100 MiB, written in odd sizes'
seq 1 20000000 | head -c 104857600 >big
dd if=big bs=65537 2>/dev/null | vault-hash | vault-seal -R me.txt | vault-open -i me.key | cmp - big
vault-hash big | vault-seal -R me.txt | dd bs=7919 2>/dev/null | vault-open -i me.key -o out
cmp out big
