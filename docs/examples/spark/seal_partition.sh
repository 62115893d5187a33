#!/bin/sh
# seal_partition.sh TEAM DEST ATTEMPTS: seals the rows of one partition, from standard input, and prints
# their receipts. Spark runs it once for each attempt of a partition.
#
# The last row is the end line, so that rows which an executor took with it are not taken for all. Every
# attempt keeps its receipts and its journal under a name of its own in ATTEMPTS, a directory that the driver
# can read: what an attempt stored whose result Spark threw away is found there.
set -u
team=$1 dest=$2
mkdir -p "$3" || exit 73
attempt=$(mktemp "$3/attempt.XXXXXXXXXX") || exit 73
vault-get --as plain --digest none --rows - --rows-end |
  vault-hash --framed |
  vault-seal -R "$team" |
  vault-chunk |
  vault-put --journal "$attempt.journal" "$dest" >"$attempt"
status=$?
cat "$attempt" || exit
# A bad row has a receipt that says so, and the rest of the partition is good: no reason to do it all
# again. Whether every row has a receipt the driver sees.
case $status in 65 | 66 | 69 | 73) status=0 ;; esac
exit "$status"
