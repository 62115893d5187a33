#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
printf abc >abc
: >empty
printf x >' lead'
printf y >'back\slash'
printf z >'line
feed'
say 'sums of files, with the names that need an escape'
run vault-hash --print abc empty ' lead' 'back\slash' 'line
feed' | tee SUMS
say 'the same, from standard input'
run vault-hash --print <abc
say 'they check'
run vault-hash --check SUMS
say 'CRLF, a mark, comments and upper case check too'
{
  printf '\357\273\277# sums\r\n'
  head -n 3 SUMS | sed 's/^[0-9a-f]*/\U&/; s/$/\r/'
} >SUMS.crlf
run vault-hash -c SUMS.crlf
say 'a binary mark is read'
sed -n '1s/  / */p' SUMS | vault-hash --check
