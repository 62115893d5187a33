#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
umask 077
prepare
vault-seal --raw -R me.txt data >sealed
identity=$(grep AGE me.key)
keys() { # COUNT FILE
  for _ in $(seq "$1"); do echo "$identity"; done >"$2"
}
say 'a key file of less than 16 KiB, and one byte more'
keys 218 many.key
printf '#%032d' 0 >>many.key
wc -c <many.key
run vault-open -i many.key -o opened sealed
vault-key public many.key | sort | uniq -c | sed 's/age1[a-z0-9]*/age1…/'
echo >>many.key
run vault-open -i many.key -o opened sealed
run vault-key public many.key
say '256 keys, and one more, and many'
keys 128 half.key
keys 1 one.key
head -c 32 data >kek; chmod 600 kek
run vault-open -i half.key -i half.key -o opened sealed
run vault-open -i half.key -i half.key -i one.key -o opened sealed
run vault-open -i half.key -i half.key --key-file kek -o opened sealed
set --
for _ in $(seq 12); do set -- "$@" -i half.key; done
run vault-open "$@" -o opened sealed
say 'a file of recipients'
for _ in $(seq 256); do cat me.txt; done >team.txt
run vault-seal --raw -R team.txt data >same
cat me.txt >>team.txt
run vault-seal --raw -R team.txt data
head -c 40000 /dev/zero | tr '\0' '#' >team.txt
run vault-seal --raw -R team.txt data
say 'an item has 64 readers at most'
set --
for _ in $(seq 64); do set -- "$@" --key-file kek; done
vault-seal --raw "$@" data >sealed && run vault-open --key-file kek -o opened sealed
run vault-seal --raw "$@" --key-file kek data
say 'names'
run vault-hash --name "$(head -c 16385 /dev/zero | tr '\0' a)" data
