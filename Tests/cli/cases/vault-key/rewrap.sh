#!/bin/sh
# Receipts move from one key to another: only the envelopes change, and what cannot be opened stays.
set -u
# shellcheck source=Tests/cli/keys.sh
. "$(dirname "$0")/../../keys.sh"
for name in old new foreign; do vault-key new -o $name.key; done
head -c 32 /dev/urandom >kek
new=$(vault-key public new.key)
sealed -r "$(vault-key public old.key)" --key-file kek >a.vault
sealed -r "$(vault-key public foreign.key)" >b.vault
receipt a.vault >a.jsonl
receipt b.vault >b.jsonl
without_envelope() { sed 's/"envelope":"[^"]*"//' "$1"; }

echo '- all lines open'
says vault-key rewrap -i old.key -r "$new" a.jsonl >out
tail -n 1 out && sed '$d' out >new.jsonl
without_envelope a.jsonl >a.rest && without_envelope new.jsonl | cmp - a.rest && echo all else is the same
head -n 1 new.jsonl >receipt.json
vault-open --envelope receipt.json -i new.key a.vault
vault-open --envelope receipt.json --key-file kek a.vault
says vault-open --envelope receipt.json -i old.key a.vault 2>/dev/null

echo '- only the new key'
vault-key rewrap --key-file kek -r "$new" --only a.jsonl >receipt.json
says vault-open --envelope receipt.json --key-file kek a.vault 2>/dev/null
vault-open --envelope receipt.json -i new.key a.vault

echo '- to a key file, to a space'
head -c 32 /dev/urandom >kek2
vault-key rewrap -i old.key --to-key-file kek2 a.jsonl >receipt.json
vault-open --envelope receipt.json --key-file kek2 a.vault
vault-key space new --access-key-file kek2 -o team.space
vault-key rewrap -i old.key --to-space team.space --access-key-file kek2 a.jsonl >receipt.json
vault-open --envelope receipt.json --space team.space --access-key-file kek2 a.vault

echo '- what cannot be opened stays as it is, byte for byte, and is named'
printf '{"receipt":"vault/1","status":"failed"}\n' >none.jsonl
sed 's/"item":"[0-9a-f]*/"item":"00000000/' a.jsonl >other.jsonl
sed 's|mac [A-Za-z0-9+/]|mac =|' a.jsonl >damaged.jsonl
cat a.jsonl b.jsonl none.jsonl other.jsonl damaged.jsonl >mixed.jsonl
printf '{"cut":' >>mixed.jsonl
says vault-key rewrap -i old.key -r "$new" mixed.jsonl 2>messages >out
sed 's/x25519 [0-9a-f]*/x25519 ID/' messages
tail -n 1 out | grep -o 'exit .*'
sed 1d mixed.jsonl >rest
sed 1d out | head -c "$(wc -c <rest)" | cmp - rest && echo the rest is the same
says vault-key rewrap -i old.key -r "$new" damaged.jsonl 2>/dev/null >out; tail -n 1 out
says vault-key rewrap -i old.key -r "$new" -o file.jsonl a.jsonl 2>/dev/null
says vault-key rewrap -i old.key -r "$new" -o file.jsonl a.jsonl

echo '- a slot of another object in a receipt'
python3 - <<'X' >swapped.json
import json
a, b = (json.loads(open(name).readline()) for name in ("a.jsonl", "b.jsonl"))
print(json.dumps({**a, "envelope": b["envelope"]}))
X
says vault-open --envelope swapped.json -i foreign.key a.vault
says vault-key rewrap -i foreign.key -r "$new" swapped.json >out
tail -n 1 out
