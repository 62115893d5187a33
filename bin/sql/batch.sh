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
  printf '%s\n' "$who" >"$room/who" || die 74 "cannot write in \"$room\""
}

# apart COMMAND...: runs it where no signal of ours or of the terminal reaches it. psql would break its
# query off, and what had become of that would be open.
apart() (
  trap '' INT TERM HUP
  exec setsid -w "$@"
)

# lives: the worker is there. Who has not been waited for yet is no more.
lives() { kill -0 $$ 2>/dev/null && ! grep -q '^State:.Z' "/proc/$$/status"; }

# Says that this worker lives, as long as it does. It keeps nothing of ours open.
heartbeat() {
  exec >/dev/null 2>&1 7>&- 9>&-
  pause=
  trap 'kill $pause; wait; exit 0' TERM
  while lives; do
    sleep "$((lease / 3 + 1))" &
    pause=$!
    wait "$pause"
    pause=
    db -v who="$who" -v lease="$lease s" -f - <<'SQL'
SELECT vault_renew(:'who', :'lease');
SQL
  done
}

# still PID: ends a heartbeat.
still() {
  [ -n "$1" ] || return 0
  kill "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

# give_back WHO JOURNAL COUNTED WHY: all that WHO still holds. Only what its journal names may have left
# something in the store.
give_back() {
  db -v who="$1" -v begun="$(items_of "$2")" -v counted="$3" -v why="$4" -f - <<'SQL'
SELECT vault_return(:'who', string_to_array(:'begun', ',')::uuid[], :'counted', :'why');
SQL
}

# count_ends: how many of the batch are stored, and how many are still held.
count_ends() {
  db -F ' ' -v items="$(items_of "$room/rows")" -f - <<'SQL'
SELECT stored, held FROM vault_count(string_to_array(:'items', ',')::uuid[]);
SQL
}

# keep FILE: records its receipts.
keep() { load receipt "$1" >/dev/null || die 74 'cannot record the receipts; they are kept'; }

# How the batch ended goes to the database, and then to "recorded": how many are stored, and how many
# came to an end. Runs in a shell of its own, which no signal reaches.
record() {
  trap '' INT TERM HUP
  keep "$room/receipts"
  # What vault-put had to leave is settled by its journal now, as after a crash.
  if [ "$(cat "$room/status.vault-put" 2>/dev/null)" != 0 ] && [ -s "$room/journal" ] &&
    vault-put --sweep "$room/journal" >>"$room/swept"; then
    keep "$room/swept"
  fi
  ends=$(count_ends) || die 74 'cannot see how the batch ended; its receipts are kept'
  stored=${ends% *} ended=$((claimed - ${ends#* }))
  # If nothing at all came to an end, that is no matter of the documents.
  counted=loss
  if [ "$ended" -eq 0 ] || [ -n "$ended_by" ]; then counted=none; fi
  [ "$ended" -eq "$claimed" ] ||
    give_back "$who" "$room/journal" "$counted" 'the pipeline ended without a receipt' >/dev/null ||
    die 74 'cannot give back what has no receipt'
  echo "$stored $ended" >"$room/recorded"
}

# close_room ROOM CLAIMED HEARTBEAT: counts what was recorded there. Its journal is settled by then.
close_room() {
  stored='' ended=''
  [ ! -f "$1/recorded" ] || read -r stored ended <"$1/recorded"
  [ -n "$ended" ] || die 74 "a batch is not recorded; the next run records what is in \"$1\""
  done_rows=$((done_rows + stored)) failed_rows=$((failed_rows + $2 - stored))
  apart rm -rf "$1"
  still "$3"
}

# A batch that went well is recorded while the next one runs: the cores need not wait for the database.
# Its lock and its heartbeat stay until it is closed.
record_behind() {
  exec 7>&9
  record &
  recorder=$! behind=$room behind_claimed=$claimed behind_beating=$beating room='' beating=''
}

# join: the batch before is recorded when it returns. A signal cuts a wait short.
join() {
  [ -n "$recorder" ] || return 0
  while
    wait "$recorder"
    [ "$?" -gt 128 ] && kill -0 "$recorder" 2>/dev/null
  do :; done
  recorder=
  close_room "$behind" "$behind_claimed" "$behind_beating"
  behind_beating=
  exec 7>&-
}

# leave_room: nothing of its batch was begun.
leave_room() {
  [ -n "$room" ] || return 0
  [ "$claimed" -eq 0 ] ||
    give_back "$who" "$room/journal" none 'the worker was stopped' >/dev/null || return 0
  apart rm -rf "$room"
}

# What a worker of this machine left when it was killed: its uploads are taken back, and receipts
# that it could not record are recorded. A worker that lives holds its lock.
recover() (
  [ -s "$1/who" ] || exit 0 # it has just been made
  exec 8>>"$1/lock" || exit 0
  flock -n 8 || exit 0
  if [ -s "$1/journal" ]; then
    vault-put --sweep "$1/journal" >>"$1/swept" || die 0 "what is left in \"$1\" stays for the next run"
  fi
  for file in "$1/receipts" "$1/swept"; do
    [ ! -s "$file" ] || load receipt "$file" >/dev/null || exit 0
  done
  give_back "$(cat "$1/who")" "$1/journal" loss 'the worker was killed' >/dev/null || exit 0
  rm -rf "$1"
)
