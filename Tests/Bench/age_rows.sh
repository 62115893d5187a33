#!/bin/sh
# age_rows.sh LEGACY IMAGING TABLE RECIPIENT: seals each row's object with `age`, moved by `aws s3 cp`, and says so in the row.
set -eu
legacy=$1 imaging=$2 table=$3 recipient=$4
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
psql -X -q -A -t -F ' ' -c "SELECT id, storage_key FROM $table WHERE backend = 's3'" >"$room/rows"
while read -r id key; do
  aws s3 cp --quiet "s3://$legacy/$key" - | age -r "$recipient" >"$room/sealed"
  aws s3 cp --quiet "$room/sealed" "s3://$imaging/age/$id"
  psql -X -q -c "UPDATE $table SET storage_key = 'age/$id', backend = 'sealed' WHERE id = '$id'"
done <"$room/rows"
