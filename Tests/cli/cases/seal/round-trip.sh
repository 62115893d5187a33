#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
say 'framed, raw, from a file, from a pipe'
vault-hash data | vault-seal -R me.txt >a.vault
vault-seal --raw -r "$(cat me.txt)" data >b.vault
for file in a b; do
  run vault-open -i me.key $file.vault | cmp - data
  run vault-open -i me.key - <$file.vault | cmp - data
done
say 'sealed twice, other bytes'
vault-seal --raw -R me.txt data | cmp -s - b.vault || echo other
say 'framed again, sealed again'
vault-open -i me.key --framed a.vault | vault-hash --framed --also sha256 | vault-seal -R me.txt |
  vault-open -i me.key | cmp - data
say 'disclosed and detached items are batches of one, for receipts'
vault-hash --name x data | vault-seal -R me.txt --disclose name,digest | vault-chunk >out
head -c 8 out | od -An -c
