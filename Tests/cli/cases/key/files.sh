#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
prepare
say 'K02, K06: comments, blank lines, CRLF, a mark, no last line end'
{ printf '\357\273\277# mine\r\n\r\n'; grep AGE me.key | tr -d '\n'; } >odd.key
chmod 600 odd.key
vault-key public odd.key | cmp - me.txt
say 'two keys'
vault-key new 2>/dev/null | cat me.key - >two.key; chmod 600 two.key
vault-key public two.key | wc -l
say 'K10: readable by others'
chmod 644 odd.key
run vault-key public odd.key
say 'other kinds are refused by name'
try() { printf '%s\n' "$1" >other; chmod 600 other; run vault-seal --raw -R other data; run vault-key public other; }
try age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t
try AGE-PLUGIN-YUBIKEY-1QQQQ
try 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN'
try age1pq1qqqq
try '-----BEGIN OPENSSH PRIVATE KEY-----'
try 'hello'
