#!/bin/sh
# Readers are added to an object and to receipts, and removed from them.
set -u
# shellcheck source=Tests/cli/keys.sh
. "$(dirname "$0")/../../keys.sh"
for name in ann bob; do vault-key new -o $name.key; done
ann=$(vault-key public ann.key)
bob=$(vault-key public bob.key)
item=11111111-1111-4111-8111-111111111111
sealed -r "$ann" >a.vault
can() { vault-open -i "$1.key" "$2" >/dev/null 2>&1 && echo "$1 can" || echo "$1 cannot: $?"; }

echo '- an object'
says vault-key share -i ann.key --add "$bob" -o both.vault a.vault
can ann both.vault; can bob both.vault
says vault-key share -i bob.key --remove "$ann" -o bob.vault both.vault
can ann bob.vault; can bob bob.vault
says vault-key share -i bob.key --remove "$bob" -o nobody.vault bob.vault
ls nobody.vault
says vault-key share -i bob.key --add "$bob" -o x.vault a.vault 2>&1 | sed 's/x25519 [0-9a-f]*/x25519 ID/'

echo '- who has no slot cannot be removed: said, and nothing is written'
vault-key new -o eve.key
says vault-key share -i ann.key --remove "$(vault-key public eve.key)" -o eve.vault a.vault 2>messages
grep -v warning messages | sed 's/age1[0-9a-z]*/age1…/; s/x25519 [0-9a-f]*/x25519 ID/'
ls eve.vault

echo '- the sealed data is the same'
python3 - <<'X'
def frames(name):
    raw, at, out = open(name, "rb").read(), 8, []
    while at < len(raw):
        count = int.from_bytes(raw[at + 4:at + 8], "big")
        out.append((raw[at:at + 1], raw[at + 16:at + 16 + count]))
        at += 16 + count
    return out
a, both = frames("a.vault"), frames("both.vault")
print([t.decode() for t, _ in both], a[1:3] == both[1:3])
X

echo '- receipts'
receipt a.vault >a.jsonl
says vault-key share --receipts -i ann.key --add "$bob" a.jsonl >out
head -n 1 out >both.json
vault-open --envelope both.json -i bob.key a.vault

echo '- of receipts, a line without the slot stays as it is and is named'
sealed -r "$bob" >b.vault
{ cat both.json; receipt b.vault; } >two.jsonl
says vault-key share --receipts -i bob.key --remove "$ann" two.jsonl 2>messages >out
grep -v warning messages | sed 's/age1[0-9a-z]*/age1…/; s/x25519 [0-9a-f]*/x25519 ID/'
tail -n 1 out
sed -n 2p two.jsonl >second; sed -n 2p out | cmp - second
head -n 1 out >bob.json
vault-open --envelope bob.json -i bob.key a.vault
says vault-open --envelope bob.json -i ann.key a.vault 2>/dev/null

echo '- a detached object in a batch'
sealed --detach -r "$ann" >sealed.batch
vault-open --batch --check -i ann.key sealed.batch | grep -o '"consistent":[a-z]*'
vault-key share --batch -i ann.key --add "$bob" sealed.batch | vault-open --check -i bob.key | grep -o '"consistent":[a-z]*'
says vault-open --batch --check -i bob.key sealed.batch 2>/dev/null | grep -o '"name":"[a-z-]*"\|exit .*'
