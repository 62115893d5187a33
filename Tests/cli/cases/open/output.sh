#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data | vault-seal -R me.txt >sealed
cp sealed damaged; flip damaged 20000
say 'a failure leaves the old file'
echo old >out
run vault-open -i me.key -o out damaged
cat out
echo ./*
say 'success replaces it'
run vault-open -i me.key -o out sealed
cmp out data
say 'K10: what is opened is for its owner alone; what takes the place of a file keeps its mode'
umask 022
chmod 644 out
vault-open -i me.key -o out sealed
vault-open -i me.key -o fresh sealed
stat -c %a out fresh
say 'input and output the same file'
cp sealed same; ln same link; ln -s same symlink
for file in same link symlink ./same; do run vault-open -i me.key -o $file same; done
input=same
run vault-open -i me.key -o same <"$input"
cmp same sealed
say 'a directory that is not there'
run vault-open -i me.key -o no/where sealed
