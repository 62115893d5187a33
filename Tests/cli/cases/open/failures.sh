#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data | vault-seal -R me.txt >sealed
vault-key new 2>/dev/null >other.key; chmod 600 other.key
shown() { sed 's/x25519 [0-9a-f]\{16\}/x25519 ID/'; }
say 'no key'
run vault-open sealed
say 'another key'
run vault-open -i other.key sealed 3>&1 | shown
say 'damaged in the second chunk: the first comes out'
cp sealed damaged; flip damaged 20000
run vault-open -i me.key damaged >out; wc -c <out
cmp -n 16384 out data
say 'cut'
head -c 30000 sealed | run vault-open -i me.key >out
say 'bytes after the end'
{ cat sealed; echo; } | run vault-open -i me.key >out
say 'through a copy in text mode'
sed 's/$/\r/' sealed | run vault-open -i me.key >out
say 'not sealed'
run vault-open -i me.key data
say 'a batch'
vault-hash data | vault-seal -R me.txt --disclose digest | run vault-open -i me.key
say 'a missing file'
run vault-open -i me.key nowhere
