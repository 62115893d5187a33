#!/bin/bash
# with-postgres.sh COMMAND...: runs COMMAND with a PostgreSQL of its own on a free port of loopback, in a
# temporary directory, and ends it after it. COMMAND sees PGHOST, PGPORT, PGUSER, PGDATABASE.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/servers/lib.sh
. "$here/../servers/lib.sh"

die() {
  echo "with-postgres.sh: error: $1" >&2
  exit 1
}

# Debian keeps the server's programs out of PATH; the newest of them counts.
programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
[ -x "$programs/initdb" ] || programs=$(dirname "$(command -v initdb)") || die 'no PostgreSQL here'

begin_work vault-postgres

# The server does not run as root: then it is an unprivileged user's, who may only enter here.
as=()
if [ "$(id -u)" -eq 0 ]; then
  user=$(getent passwd postgres nobody | head -n 1 | cut -d : -f 1)
  chmod 711 "$work"
  install -d -o "$user" -m 700 "$work/data"
  as=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups --pdeathsig KILL)
fi
cd "$work" || exit
export LC_ALL=C
"${as[@]}" "$programs/initdb" -D "$work/data" -U vault -A trust -E "${VAULT_TEST_ENCODING:-UTF8}" \
  --no-locale --no-sync >"$work/initdb.log" 2>&1 || die "initdb: $(tail -n 3 "$work/initdb.log")"
for _ in 1 2 3; do
  port=$(free_ports 1)
  # What is lost in a power cut is no loss to a test.
  start_process "$work/log" "${as[@]}" "$programs/postgres" -D "$work/data" -p "$port" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=100 \
    -c shared_buffers=64MB
  for _ in {1..100}; do
    kill -0 "$last_pid" 2>/dev/null || break
    "$programs/pg_isready" -q -h 127.0.0.1 -p "$port" && break 2
    sleep 0.1
  done
done
"$programs/pg_isready" -q -h 127.0.0.1 -p "$port" || die "no server: $(tail -n 3 "$work/log")"
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=vault PGDATABASE=postgres
cd "$OLDPWD" || exit
run_within "$@"
