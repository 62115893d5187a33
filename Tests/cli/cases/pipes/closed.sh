#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data >plain
vault-seal -R me.txt plain >sealed
say 'standard input closed'
run vault-hash <&- >out
run vault-seal -R me.txt <&- >out
run vault-chunk <&- >out
run vault-open -i me.key <&- >out
say 'standard output closed'
run vault-hash data >&-
run vault-seal -R me.txt plain >&-
run vault-chunk sealed >&-
run vault-open -i me.key sealed >&-
run vault-open -i me.key --check sealed >&-
run vault-key public me.key >&-
run vault-hash --help >&-
say 'standard error closed'
vault-open -i me.key data 2>&- || echo "exit $?"
