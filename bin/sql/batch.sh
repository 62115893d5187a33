# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # names that the recipe uses, and those that it and recipe.sh set
# batch.sh: one batch of a migration: the room where it is kept, how it is recorded, and what becomes of it
# when its worker is killed.

# open_room: a directory for one batch and the name under which it claims, locked as long as anything of
# the batch runs.
open_room() {
  make_room "$work"
  exec 9>"$room/lock"
  flock -n 9 || die 73 "cannot lock \"$room\""
  who=$(uname -n):$$:$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s\n' "$who" >"$room/who"
}

# give_back WHO JOURNAL COUNTED WHY: all that WHO still holds. Only what its journal names may have left
# something in the store.
give_back() {
  db -v who="$1" -v begun="$(items_of "$2")" -v counted="$3" -v why="$4" -f - <<'SQL'
SELECT vault_return(:'who', string_to_array(:'begun', ',')::uuid[], :'counted', :'why');
SQL
}

# keep FILE: records its receipts. Once more, if it fails: Ctrl-C cuts psql off too.
keep() {
  load receipt "$1" >"$room/told" || load receipt "$1" >"$room/told" ||
    die 74 'cannot record the receipts; they are kept'
  cat "$room/told" >>"$room/notes"
}

# How the batch ended goes to the database, and then to "recorded": how many are stored, and how many
# came to an end.
record() {
  keep "$room/receipts"
  # What vault-put had to leave is settled by its journal now, as after a crash.
  if [ "$(cat "$room/status.vault-put" 2>/dev/null)" != 0 ] && [ -s "$room/journal" ] &&
    vault-put --sweep "$room/journal" >"$room/swept"; then
    keep "$room/swept"
  fi
  ended=$(awk '$1 !~ /^(stranger|bad-line|nameless)$/ { n += $2 } END { print n + 0 }' "$room/notes")
  # If nothing at all came to an end, that is no matter of the documents.
  counted=loss
  if [ "$ended" -eq 0 ] || [ -n "$ended_by" ]; then counted=none; fi
  # With a receipt for each document nothing is held any more.
  [ "$ended" -eq "$claimed" ] ||
    give_back "$who" "$room/journal" "$counted" 'the pipeline ended without a receipt' >/dev/null ||
    exit 74
  awk -v ended="$ended" '$1 == "stored" { n += $2 } END { print n + 0, ended }' "$room/notes" \
    >"$room/recorded.new" && mv "$room/recorded.new" "$room/recorded" || exit 74
}

# close_room ROOM CLAIMED: counts what was recorded there. Its journal is settled by then.
close_room() {
  read -r stored ended 2>/dev/null <"$1/recorded" || exit 74 # whoever failed there has said why
  done_rows=$((done_rows + stored)) failed_rows=$((failed_rows + $2 - stored))
  rm -rf "$1"
}

# A batch that went well is recorded while the next one runs: the cores need not wait for the database.
# Its lock stays ours until it is closed.
record_behind() {
  exec 7>&9
  (
    trap '' INT TERM HUP
    record
  ) &
  recorder=$! behind=$room behind_claimed=$claimed room=
}

# join: the batch before is recorded when it returns. A signal cuts a wait short.
join() {
  [ -n "$recorder" ] || return 0
  while
    wait "$recorder"
    [ "$?" -gt 128 ] && kill -0 "$recorder" 2>/dev/null
  do :; done
  recorder=
  close_room "$behind" "$behind_claimed"
  exec 7>&-
}

# What a worker of this machine left when it was killed: its uploads are taken back, and receipts
# that it could not record are recorded. A worker that lives holds its lock.
recover() (
  [ -s "$1/who" ] || exit 0 # it has just been made
  exec 8>>"$1/lock" || exit 0
  flock -n 8 || exit 0
  : >"$1/swept"
  if [ -s "$1/journal" ]; then
    vault-put --sweep "$1/journal" >"$1/swept" || die 0 "what is left in \"$1\" stays for the next run"
  fi
  for file in "$1/receipts" "$1/swept"; do
    [ ! -s "$file" ] || load receipt "$file" >/dev/null || exit 0
  done
  give_back "$(cat "$1/who")" "$1/journal" loss 'the worker was killed' >/dev/null || exit 0
  rm -rf "$1"
)
