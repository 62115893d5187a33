#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash data >plain
vault-seal -R me.txt plain >sealed
vault-chunk sealed >parts
say 'T01: standard output is the same however much is said'
vault-open -i me.key sealed | cmp - data
vault-open -i me.key --verbose sealed | cmp - data
for how in auto always json never; do
  vault-get --progress $how --verbose sealed 2>said.$how | cmp - sealed
done
wc -l <said.json
say 'T01: nor does an error write to it'
for tool in hash seal chunk put get open key drop; do
  vault-$tool --no-such-option 2>/dev/null | wc -c
  vault-$tool --help 2>&1 >/dev/null | wc -c
done | sort | uniq -c
say 'T02: progress is no talk where there is no terminal, and few lines when it is asked for'
vault-put "$PWD/stored" <parts 2>log >receipt
wc -c <log
wc -l <receipt
vault-put --progress always "$PWD/stored2" <parts 2>log >receipt
wc -l <log
grep -c "$(printf '\r')" log || true
