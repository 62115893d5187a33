#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
one=11111111-1111-4111-8111-111111111111
two=22222222-2222-4222-8222-222222222222
vault-hash --item $one data | vault-seal -R me.txt >sealed
say 'the item that is expected, and another'
run vault-open -i me.key --item $one sealed | cmp - data
run vault-open -i me.key --item $two sealed
verdict() { run vault-open -i me.key --check "$@"; }
say 'verdicts'
verdict sealed
verdict --item $two sealed
cp sealed damaged; flip damaged 20000
verdict damaged
head -c 30000 sealed | verdict
say 'a verdict of a batch'
vault-hash --item $two data | vault-seal -R me.txt --disclose name | verdict
receipt() { # MEMBERS: a receipt of this object with them, and what comes of it
  printf '{"receipt":"vault/1","item":"%s","status":"stored"%s}\n' "$one" "$1" >receipt.json
  verdict --expect receipt.json sealed
}
sum=$(sha256sum <sealed | cut -d ' ' -f 1)
say 'receipts: the item alone pins nothing; a digest does'
receipt ''
receipt ",\"object_bytes\":$(wc -c <sealed),\"sha256\":\"$sum\""
receipt ",\"sha256\":\"$(echo "$sum" | tr 0-8 1-9)\"" | sed 's/[0-9a-f]\{64\}/SUM/'
receipt ',"object_bytes":7' 3>&1 | sed 's/has [0-9]*/has N/'
say 'no receipt'
verdict --expect data sealed
say 'a failed expectation leaves no file'
run vault-open -i me.key --expect receipt.json -o out sealed 3>&1 | sed 's/has [0-9]*/has N/'
[ ! -e out ] || echo 'it is there'
