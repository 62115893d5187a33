#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
head -c 32 data >raw
od -An -tx1 -v raw | tr -d ' \n' >hex
{ cat hex; echo; } >hex.line
base64 raw >text64
tr -d = <text64 >text64.bare
sed 's/$/\r/' hex.line >hex.crlf
{ tr -d '\n' <text64.bare; printf '\r\n'; } >text64.crlf
chmod 600 raw hex hex.line text64 text64.bare hex.crlf text64.crlf
for file in raw hex hex.line text64 text64.bare hex.crlf text64.crlf; do
  say "$file"
  vault-seal --raw --key-file $file data >sealed && run vault-open --key-file raw -o opened sealed
  cmp opened data
done
say 'K02: the two bytes of CRLF are part of a raw key'
{ head -c 30 raw; printf '\r\n'; } >ends
{ cat raw; printf '\r\n'; } >longer
chmod 600 ends longer
vault-seal --raw --key-file ends data >sealed && run vault-open --key-file ends -o opened sealed
run vault-open --key-file raw -o other sealed
run vault-seal --raw --key-file longer data
say 'K05: empty'
: >empty; chmod 600 empty
run vault-seal --raw --key-file empty data
say 'too short, too long, readable by others, missing'
head -c 31 raw >short; head -c 100 data >long; cp raw shown; chmod 600 short long; chmod 644 shown
for file in short long shown nowhere; do run vault-seal --raw --key-file $file data; done
say 'readable by others, and allowed'
run vault-seal --raw --key-file shown --insecure-permissions data >sealed
