#!/bin/bash
# demo-migration.sh: 1,000 legacy rows become proven sealed ones, on a PostgreSQL and a SeaweedFS that
# run for this demonstration only. ROWS=n for another number; the page is written to migration.html.
# `make demo-migration` runs it inside of both servers.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
room=$(mktemp -d "${TMPDIR:-/tmp}/vault-demo.XXXXXX")
trap 'rm -rf "$room"' EXIT
page=${PAGE:-$root/migration.html}
export AWS_ENDPOINT_URL=$VAULT_TEST_SEAWEED

step() { printf '\n$ %s\n' "$*"; }
sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

echo "making ${ROWS:-1000} documents with plain objects, 1 in 100 of them bad"
"$root/.build/venv/bin/python" "$root/docs/examples/legacy_rows.py" "${ROWS:-1000}" >"$room/rows"
sql <<SQL
CREATE TABLE documents (id uuid PRIMARY KEY, storage_key text, upload_status text, metadata jsonb);
CREATE TEMPORARY TABLE lines (line text);
\\copy lines FROM '$room/rows' (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
INSERT INTO documents SELECT r.* FROM lines, jsonb_to_record(line::jsonb)
  r(id uuid, storage_key text, upload_status text, metadata jsonb);
SQL
sql -f "$root/bin/sql/schema.sql"
sql -v bucket=legacy -f "$root/bin/sql/application.sql"
sql -f "$root/bin/sql/functions.sql"
vault-key new -o "$room/team.key"
vault-key public "$room/team.key" >"$room/team.txt"

# A recipe ends with 1 when some documents did not come through; here some are bad on purpose.
may_fail() { "$@" || [ $? -eq 1 ]; }

step "vault-migrate --to 's3://imaging/{item}' -R team.txt     # two workers"
may_fail vault-migrate --to 's3://imaging/{item}' -R "$room/team.txt" --work "$room" 2>"$room/one" &
may_fail vault-migrate --to 's3://imaging/{item}' -R "$room/team.txt" --work "$room" 2>"$room/two"
wait
grep -h '^vault-migrate' "$room/one" "$room/two"
step "vault-verify -i team.key"
vault-verify -i "$room/team.key"
step "vault-switch"
vault-switch
step "vault-retire --older-than 1s --yes"
sleep 1
vault-retire --older-than 1s --yes
step "vault-report --html $page"
vault-report --html "$page"
echo
echo "the page is $page"
