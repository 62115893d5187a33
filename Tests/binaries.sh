#!/bin/bash
# binaries.sh: what the built files say of themselves. Which libraries they load, how they are
# hardened, which functions of OpenSSL and of the network they can call at all.
set -u
cd "$(dirname "$0")/.." || exit
passed=0 failed=0

# The names of OpenSSL that encrypt, decrypt or derive keys; hashes and HMAC (and the secure heap, where
# HMAC keeps its key) are not among them.
keys='(EVP_(Encrypt|Decrypt|Cipher|CIPHER|PKEY|KDF|aes|chacha)|PKCS5_)'
sockets='(socket|connect|bind|listen|accept|accept4|send|sendto|sendmsg|getaddrinfo)'

holds() { # TOOL RULE COMMAND...
  local tool=$1 rule=$2
  shift 2
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "broken: $tool $rule"
  fi
}
has() { grep -qE -- "$2" <<<"$1"; }
lacks() { ! has "$1" "$2"; }

# What a tool may load: the C++ runtime of Swift's own library is in the file.
nothing_else() { # DYNAMIC TOOL
  local may='ld-linux[^]]*|lib(c|m)\.so[^]]*|libcrypto\.so\.3'
  case $2 in vault-put | vault-get | vault-drop) may="$may|libcurl\\.so\\.4" ;; esac
  ! grep NEEDED <<<"$1" | grep -vqE "\[($may)\]"
}

check_tool() {
  local tool=$1 file=bin/$1 head program dynamic imports sections
  head=$(readelf -hW "$file") program=$(readelf -lW "$file") dynamic=$(readelf -dW "$file")
  sections=$(readelf -SW "$file")
  imports=$(readelf -W --dyn-syms "$file" | awk '$7 == "UND" { sub(/@.*/, "", $8); print $8 }')
  holds "$tool" "is position independent" has "$head" 'Type: +DYN'
  holds "$tool" "says PIE" has "$dynamic" 'FLAGS_1.*PIE'
  holds "$tool" "binds at start" has "$dynamic" '(FLAGS.*BIND_NOW|FLAGS_1.*NOW)'
  holds "$tool" "has its relocations read-only" has "$program" 'GNU_RELRO'
  holds "$tool" "has no executable stack" has "$program" 'GNU_STACK.* RW +0x'
  holds "$tool" "has no segment that is writable and executable" lacks "$program" 'LOAD.* RWE'
  holds "$tool" "is stripped" lacks "$sections" ' \.symtab'
  holds "$tool" "has no search path of its own" lacks "$dynamic" '\((RPATH|RUNPATH)\)'
  holds "$tool" "loads the Swift library from itself" lacks "$dynamic" 'NEEDED.*libswift|NEEDED.*Foundation'
  holds "$tool" "loads nothing but the C runtime and its one library" nothing_else "$dynamic" "$tool"
  case $tool in
  vault-put | vault-get | vault-drop) holds "$tool" "can name no key" lacks "$imports" "^$keys" ;;
  *)
    holds "$tool" "does not load libcurl" lacks "$dynamic" 'NEEDED.*libcurl'
    holds "$tool" "imports nothing of libcurl" lacks "$imports" '^curl_'
    holds "$tool" "can open no socket" lacks "$imports" "^$sockets\$"
    ;;
  esac
}

for source in Sources/vault-*; do
  [ -d "$source" ] || continue
  check_tool "$(basename "$source")"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
