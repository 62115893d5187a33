#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
item=11111111-1111-4111-8111-111111111111
sha2=$(sha256sum <data | cut -d ' ' -f 1)
sha3=$(vault-hash --print data | head -c 64)
measure() { run vault-hash --item $item "$@" data; }
# The digests that a plain stream carries.
taken() { grep -aoE 'sha(3-)?256 [0-9a-f]{64}' | sed "s/$sha2/RIGHT/; s/$sha3/RIGHT/"; }
for option in --digest=sha3-256 --digest=sha256 '--digest=sha256 --also=sha256' \
  '--digest=sha256 --also=sha3-256' "--digest=sha256 --expect-sha3-256=$sha3"; do
  say "$(echo "$option" | sed "s/$sha3/SHA3/")"
  # shellcheck disable=SC2086
  measure $option | taken
done
say 'none is not offered'
measure --digest none >out
say 'another SHA3-256 than expected is noticed, whatever else is taken'
measure --digest sha256 --expect-sha3-256 "$sha2" 3>&1 >out | sed 's/[0-9a-f]\{64\}/SUM/'
say 'a verdict names what was compared'
verdict() { run vault-open -i me.key --check "$@"; }
measure --digest sha256 | vault-seal -R me.txt >sealed
verdict sealed
measure --digest sha256 --also sha3-256 | vault-seal -R me.txt | verdict
run vault-open -i me.key sealed | cmp - data
run vault-open -i me.key --framed sealed | taken
say 'what must come is compared with the data, though the manifest has no such digest'
receipt() { # MEMBERS
  printf '{"receipt":"vault/1","item":"%s","status":"stored",%s}\n' "$item" "$1" >receipt.json
  run vault-open -i me.key --expect receipt.json "$2" sealed
}
receipt "\"sha3_256\":\"$sha3\"" --check
receipt "\"sha3_256\":\"$sha2\"" --check
receipt "\"data_sha256\":\"$sha2\"" --check
receipt "\"data_sha256\":\"$sha3\"" --check
say 'of a range only what the manifest has can be compared'
receipt "\"data_sha256\":\"$sha2\"" --range=0-9 | cmp -n 10 - data
receipt "\"sha3_256\":\"$sha3\"" --range=0-9
say 'a digest that was disclosed stands in the receipt under its name'
for digest in sha256 sha3-256; do
  measure --digest $digest | vault-seal -R me.txt --disclose digest | vault-chunk |
    vault-put ./$digest.vault >$digest.json
  grep -oE '"(sha3_256|data_sha256)":"[0-9a-f]*"' $digest.json | sed "s/$sha2/RIGHT/; s/$sha3/RIGHT/"
  verdict --expect $digest.json $digest.vault
done
say 'raw bytes'
run vault-seal --raw --digest sha256 -R me.txt data | verdict | sed 's/"item":"[^"]*",//'
run vault-seal --digest sha256 -R me.txt data
say 'sums are those of sha256sum'
run vault-hash --print --digest sha256 data | tee sums | sha256sum --check
run vault-hash --check --digest sha256 sums
run vault-hash --check sums
measure | run vault-hash --framed --print --digest sha256 | sed "s/$sha2/RIGHT/"
say 'a digest that came is compared when it is taken'
measure --digest sha256 | sed "s/sha256 $sha2/sha256 $sha3/" | run vault-hash --framed --digest sha256 >out
