#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
head -c 30000000 /dev/zero >zeros
vault-hash zeros | vault-seal -R me.txt >sealed
say 'a reader that stops ends each stage quietly'
quiet() { { "$@" 2>err; echo "exit $?" >code; } | head -c 10 | wc -c; cat err code; }
quiet vault-hash zeros
quiet vault-seal -R me.txt --raw zeros
quiet vault-chunk sealed
quiet vault-open -i me.key sealed
say 'all four'
vault-hash zeros | vault-seal -R me.txt | vault-chunk | head -c 10 | wc -c
