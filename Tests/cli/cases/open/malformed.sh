#!/bin/sh
# A foreign sealer's manifest whose media type is not UTF-8: of a file no byte of the data leaves, in any
# mode; in a pipe the manifest comes last.
set -u
vector=$(dirname "$0")/../../../vectors/manifest/media-type-not-utf-8
python3 - "$vector" <<'X'
import sys
raw = open(sys.argv[1], "rb").read()
open("object", "wb").write(raw[raw.index(b"\n\n") + 2:])
X
umask 077
printf '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f' >kek

# tried OPTION...: how it ends of a file and in a pipe, and what was written.
tried() {
  for way in file pipe; do
    echo "-- $way $*"
    if [ $way = file ]; then
      vault-open --key-file kek "$@" object >out
    else
      head -c 9999 object | vault-open --key-file kek "$@" >out
    fi 2>err
    echo "exit $?, $(wc -c <out) bytes"
    cat err
  done
}

tried
tried --skip-digest
tried -o made
tried --framed
tried --range 0-1
[ -e made ] && echo "a file was made"; true
