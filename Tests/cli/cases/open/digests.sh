#!/bin/sh
# shellcheck source=/dev/null disable=SC2002
. "$(dirname "$0")/../../steps"
prepare
seq 1 400000 | head -c 2000000 >long
# seal NAME [OPTION]...: an object whose manifest has the digest of other data.
spoilt() {
  name=$1
  shift
  vault-hash "$@" "$name" | sed "s/\(sha[-0-9]* \)[0-9a-f]\{64\}/\1$(printf 0%.0s $(seq 64))/" |
    vault-seal -R me.txt >"$name.spoilt"
}
open() { run vault-open -i me.key "$@"; }
say 'a wrong digest in the manifest is noticed in a file and in a pipe, short or long'
for name in data long; do
  for digest in sha3-256 sha256; do
    spoilt "$name" --digest $digest
    open "$name.spoilt" | cmp - "$name"
    open <"$name.spoilt" | cmp - "$name"
    cat "$name.spoilt" | open - | cmp - "$name"
    open --check "$name.spoilt" | grep -o '"name":"[^"]*"'
  done
done
spoilt long --also sha256
say 'one of two as well'
open long.spoilt | cmp - long
say 'not with --skip-digest: then every byte is authentic and nothing more is said'
open --skip-digest long.spoilt | cmp - long
cat long.spoilt | open --skip-digest | cmp - long
open --skip-digest -o out long.spoilt && cmp out long
open --skip-digest --range 5-9 long.spoilt
echo
cat long.spoilt | open --skip-digest --range 5-9
echo
say 'what the caller expects is compared all the same'
sha3=$(vault-hash --print long | head -c 64)
for digest in "$sha3" "$(echo "$sha3" | tr 0-8 1-9)"; do
  printf '{"receipt":"vault/1","item":"%s","status":"stored","sha3_256":"%s"}\n' 11111111-1111-4111-8111-111111111111 "$digest" >receipt
  vault-hash --digest sha256 --item 11111111-1111-4111-8111-111111111111 long | vault-seal -R me.txt >sealed
  open --skip-digest --expect receipt sealed | cmp - long
done
say 'damage is noticed'
cp sealed damaged
flip damaged 1500000
open --skip-digest damaged >out
head -c 1500000 sealed | open --skip-digest >out
say 'nothing that says that all was compared can be had with it'
for option in --check --framed --inspect; do
  open --skip-digest $option sealed >out
done
say 'a file is opened from where it stands'
{ echo before; cat sealed; } >both
{ head -n 1 >/dev/null; open; } <both | cmp - long
dd if=sealed bs=1 count=1000 of=cut 2>/dev/null
open cut >out
say 'a long file that is damaged says the same as a pipe'
for at in 30 1999000 $(($(wc -c <sealed) - 100)) $(($(wc -c <sealed) - 10)); do
  cp sealed damaged
  flip damaged "$at"
  open damaged 3>file >out
  cat damaged | open 3>pipe >out
  cat file
  diff file pipe
done
