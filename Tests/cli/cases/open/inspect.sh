#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
printf '%064d' 7 >kek; chmod 600 kek
vault-hash --item 11111111-1111-4111-8111-111111111111 data | vault-seal -R me.txt --key-file kek >sealed
shown() { sed 's/"id":"[0-9a-f]\{16\}"/"id":"ID"/g'; }
say 'whole, cut, damaged where no key is needed, damaged inside'
run vault-open --inspect sealed 3>&1 | shown
head -c 30000 sealed | run vault-open --inspect 3>&1 | shown
cp sealed damaged; flip damaged 50
run vault-open --inspect damaged 3>&1 | shown
cp sealed damaged; flip damaged 20000
run vault-open --inspect damaged 3>&1 | shown
say 'not sealed'
run vault-open --inspect data
