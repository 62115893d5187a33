#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data >plain
vault-seal -R me.txt plain >sealed
head -c 5000 /dev/urandom >noise
vault-seal -R me.txt --raw noise >sealed.noise
vault-seal -R me.txt --raw me.txt >sealed.text
on() { say "$1"; script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/age1[a-z0-9]*/age1…/' || true; script -qec "$1" /dev/null </dev/null >/dev/null || echo "exit $?"; }
say 'T03: no stream and no binary to a terminal'
on 'vault-hash data'
on 'vault-seal -R me.txt plain'
on 'vault-chunk sealed'
on 'vault-open -i me.key --framed sealed'
on 'vault-open -i me.key sealed.noise'
on 'vault-open -i me.key sealed.text'
