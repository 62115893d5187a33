#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
vault-hash --item 00112233-4455-4677-8899-aabbccddeeff data >plain
for name in a b; do vault-seal -R me.txt plain >$name.vault; done # one item, sealed twice
vault-hash data | vault-seal -R me.txt >c.vault
python3 - <<'X'
def frames(name):
    raw, at, out = open(name + ".vault", "rb").read(), 8, {}
    while at < len(raw):
        end = at + 16 + int.from_bytes(raw[at + 4:at + 8], "big")
        out[chr(raw[at])] = raw[at:end]
        at = end
    return raw[:8], out
for one, two in ("ab", "ba", "ac", "ca"):
    (start, own), (_, other) = frames(one), frames(two)
    for letters in ("E", "C", "M", "EC", "EM", "CM"):
        mixed = {**own, **{letter: other[letter] for letter in letters}}
        open(f"{one}{two}{letters}.mixed", "wb").write(start + b"".join(mixed[x] for x in "ECMZ"))
X
say 'envelope, body and manifest of two objects: with -o nothing appears, whatever was exchanged'
: >before
: >err
find . | sort >before
for file in *.mixed; do
  code=0
  vault-open -i me.key -o out "$file" 2>err || code=$?
  echo "$code $(sed -n 's/.*error: //p' err)"
done | sort | uniq -c
find . | sort | cmp - before
say 'to a pipe, true data is out when the manifest of another is met at the end'
for file in ??M.mixed ??EC.mixed; do
  run vault-open -i me.key "$file" >out
  cmp out data
done
say 'and nothing where the exchange is seen before'
for file in ??E.mixed ??C.mixed ??EM.mixed ??CM.mixed; do vault-open -i me.key "$file" 2>/dev/null | wc -c; done | sort | uniq -c
