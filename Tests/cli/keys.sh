# shellcheck shell=sh
# What the cases of spaces and readers share: secrets in files of mode 0600, an object, a receipt.
umask 077
printf 'correct horse\n' >password
printf 'another\n' >other-password
printf 'hello\n' >original

# says COMMAND...: runs it, and says with what code it ended.
says() {
  "$@" && code=0 || code=$?
  echo "exit $code"
}

# sealed OPTION...: the original, sealed; as $item, where there is one.
sealed() { vault-hash ${item:+--item "$item"} <original | vault-seal "$@"; }

# receipt OBJECT: a line as vault-put could have printed it.
receipt() {
  python3 - "$1" <<'X'
import json, sys
raw = open(sys.argv[1], "rb").read()
envelope = raw[24:24 + int.from_bytes(raw[12:16], "big")].decode()
lines = dict(line.split(" ", 1) for line in envelope.splitlines() if line.startswith(("item ", "body ")))
print(json.dumps({"receipt": "vault/1", **lines, "status": "stored", "envelope": envelope, "row": {"n": 1}},
                 separators=(",", ":")))
X
}
