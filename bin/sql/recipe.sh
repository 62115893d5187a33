# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # names that the recipes use, and `sql`, where this file lies
# recipe.sh: what all recipes share: how they speak, reach the database, and keep each stage's status.

me=${0##*/}
db='' schema=vault psql=psql

die() { # STATUS WORDS...
  die_status=$1
  shift
  printf '%s: error: %s\n' "$me" "$*" >&2
  exit "$die_status"
}

# common_option OPTION VALUE: takes --db and --schema.
common_option() {
  case $1 in
  --db) db=$2 ;;
  --schema) schema=$2 ;;
  esac
}

# Refuses what others could read on the command line, and names that are none.
check_connection() {
  user=${db#*://}
  user=${user%%[/?]*}
  case $db in
  *password*=*) die 64 'a password does not belong on the command line: use a passfile or service=' ;;
  postgres://* | postgresql://*)
    case $user in
    *:*@*) die 64 'a URL with a password does not belong on the command line: use a passfile' ;;
    esac
    ;;
  esac
  case $schema in
  '' | [0-9]* | *[!a-z0-9_]*) die 64 "the schema's name is of lower-case letters, digits and _" ;;
  esac
  export PGOPTIONS="${PGOPTIONS-} -c search_path=$schema,pg_temp" PGCLIENTENCODING=UTF8
  export PGAPPNAME="$me"
}

# db WORDS...: psql; `apart` may name what it is started by.
db() { ${apart-} "$psql" -X -q -A -t -v ON_ERROR_STOP=1 ${db:+-d "$db"} "$@"; }

# Debian puts a script before psql that looks for a cluster, and its start costs more than most of our
# queries: what it chooses, and the program that it then becomes, are asked once. Without an answer all
# stays as it was.
find_psql() {
  [ "$(head -c 2 "$(command -v psql)" 2>/dev/null)" = '#!' ] || return 0
  # shellcheck disable=SC2016 # the shell that psql starts expands it
  chosen=$(db -c '\! readlink "/proc/$PPID/exe"; env | grep -E "^PG(HOST|PORT|DATABASE|SYSCONFDIR)="' \
    2>/dev/null) || return 0
  found=$(printf '%s\n' "$chosen" | head -n 1)
  [ -x "$found" ] || return 0
  while IFS= read -r chosen_line; do
    case $chosen_line in PG*=?*) export "${chosen_line?}" ;; esac
  done <<TEXT
$chosen
TEXT
  psql=$found
}

# rows QUERY [-v NAME=VALUE]...: one JSON line for each row of the query.
rows() {
  rows_query=$1
  shift
  db -v query="$rows_query" "$@" -f "$sql/rows.sql"
}

# load KIND FILE [true]: records the lines of FILE (true: each in a transaction of its own), and says how many ended in which way. The lines
# that were written are counted, and the database compares.
load() {
  load_lines=$(awk 'END { print NR }' "$2") &&
    db -v kind="$1" -v lines="$load_lines" -v each="${3:-false}" \
      -f "$sql/load.sql" <"$2"
}

# make_room DIR: a directory of this process in it, for rows, receipts and each stage's status.
make_room() { room=$(mktemp -d "$1/$me.XXXXXX") || exit 73; }

# stage COMMAND...: runs it and keeps its status, since a pipe forgets all but the last one. It
# outlives a signal until the command, which got it too, has ended.
stage() {
  trap : INT TERM HUP
  "$@"
  echo "$?" >"$room/status.$1"
}

# worst STAGE...: the first cause among them: a stage that only lost its input or its reader says less.
worst() {
  worst_status=0
  for worst_stage; do
    found=$(cat "$room/status.$worst_stage" 2>/dev/null) || found=70
    : "${found:=74}" # there was no room to write it
    case $found in
    0) continue ;;
    66 | 74 | 141) [ "$worst_status" -ne 0 ] || worst_status=$found ;;
    *)
      case $worst_status in 0 | 66 | 74 | 141) worst_status=$found ;; esac
      ;;
    esac
  done
  return "$worst_status"
}

# count_of FILE: how many rows its end line promises.
count_of() {
  tail -n 1 "$1" | sed -n 's/.*"rows": *\([0-9][0-9]*\).*/\1/p'
}

# items_of FILE: the items that its lines name, with commas between.
items_of() {
  [ ! -f "$1" ] || sed -n 's/.*"item": *"\([0-9a-f-]\{36\}\)".*/\1/p' "$1" | sort -u | paste -sd , -
}
