#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
say 'no reader'
run vault-seal <data
say 'not framed'
run vault-seal -R me.txt data >out
wc -c <out
say 'a bad recipient'
run vault-seal -r age1qqqq <data
say 'an identity in place of a recipient'
run vault-seal -R me.key <data
say 'a plain stream that was cut'
vault-hash data | head -c 1000 | run vault-seal -R me.txt >out
say 'its abort is passed on'
run vault-open -i me.key out >opened
say 'a sealed stream'
vault-seal --raw -R me.txt data | run vault-seal -R me.txt >out
