#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
head -c 32 data >raw
od -An -tx1 -v raw | tr -d ' \n' >hex
{ cat hex; echo; } >hex.line
base64 raw >text64
tr -d = <text64 >text64.bare
chmod 600 raw hex hex.line text64 text64.bare
for file in raw hex hex.line text64 text64.bare; do
  say "$file"
  vault-seal --raw --key-file $file data >sealed && run vault-open --key-file raw -o opened sealed
  cmp opened data
done
say 'too short, too long, readable by others, missing'
head -c 31 raw >short; head -c 100 data >long; cp raw shown; chmod 600 short long; chmod 644 shown
for file in short long shown nowhere; do run vault-seal --raw --key-file $file data; done
say 'readable by others, and allowed'
run vault-seal --raw --key-file shown --insecure-permissions data >sealed
