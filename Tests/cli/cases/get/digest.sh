#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
sha2=$(sha256sum <data | cut -d ' ' -f 1)
sha3=$(vault-hash --print data | head -c 64)
echo '{"source":"data","item":"11111111-1111-4111-8111-111111111111"}' >rows
get() { vault-get --as plain --rows rows "$@"; }
# The digests that a plain stream carries.
taken() { grep -aoE 'sha(3-)?256 [0-9a-f]{64}' | sed "s/$sha2/RIGHT/; s/$sha3/RIGHT/"; }
say 'SHA-256 when nothing is said'
get | taken
get >with
get --digest sha256 | cmp - with
say 'none'
get --digest none >without
taken <without
# The frame of a digest has a header of 16 bytes, then "sha256", a space, 64 digits and LF.
line=$(grep -abo "sha256 $sha2" with | cut -d : -f 1)
{ head -c $((line - 16)) with; tail -c +$((line + 73)) with; } | cmp - without
say 'a lone object too'
vault-get --as plain --digest none data >lone
taken <lone
say 'vault-hash takes its own'
run vault-hash --framed without | taken
run vault-hash --framed --print without | cut -d ' ' -f 1 | sed "s/$sha3/RIGHT/"
run vault-hash --framed without | vault-seal -R me.txt | vault-open -i me.key | cmp - data
say 'vault-seal wants one'
run vault-seal -R me.txt <lone >sealed
run vault-open -i me.key -o opened sealed
run vault-seal -R me.txt <without >sealed.batch
run vault-chunk <sealed >parts
run vault-put ./stored.vault <parts | grep -o '"status":"[a-z]*"'
ls
say 'a bad row fails as ever'
echo '{"source":"none"}' >>rows
get --digest none >bad 2>said || echo "exit $?"
cat said
run vault-hash --framed bad >out
say 'only for plain items'
run vault-get --digest none data >out
run vault-get --as sealed --digest sha256 data >out
run vault-get --as plain --digest md5 data >out
