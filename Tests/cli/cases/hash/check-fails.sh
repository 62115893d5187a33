#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
printf abc >abc
printf def >def
vault-hash --print abc def >SUMS
say 'a changed file'
printf abd >abc
run vault-hash --check SUMS
say 'a missing file'
rm def
run vault-hash --check SUMS
say 'a line that is no sum'
printf 'abc  abc\n' >bad
run vault-hash --check bad
say 'no sums at all'
: >none
run vault-hash --check none
say 'a missing sums file'
run vault-hash --check nowhere
say 'a missing file among others'
run vault-hash --print nowhere abc
