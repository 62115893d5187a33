#!/bin/bash
# with-servers.sh COMMAND...: runs COMMAND with two real S3 servers on free ports and ends them
# after it, however it ends. VAULT_TEST_SERVERS="seaweed rgw" says which; COMMAND sees
#   VAULT_TEST_SEAWEED, VAULT_TEST_SEAWEED_TLS, VAULT_TEST_RGW, VAULT_TEST_RGW_TLS   endpoints
#   VAULT_TEST_CA, VAULT_TEST_BUCKET, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION
# On SeaweedFS readkey/readsecretkey0123456789 may only read, writekey/… only write.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=Tests/servers/lib.sh
. "$here/lib.sh"
# shellcheck source=Tests/servers/seaweed.sh
. "$here/seaweed.sh"
# shellcheck source=Tests/servers/rgw.sh
. "$here/rgw.sh"

servers=${VAULT_TEST_SERVERS-seaweed rgw}
begin_work vault-servers

# make_bucket NAME: only our own server takes our keys, so this also tells it from a stranger.
make_bucket() {
  local url=$1_url
  "$root/.build/venv/bin/python" "$here/make_bucket.py" "$VAULT_TEST_BUCKET" "${!url}"
}

# start NAME: up to three times, each with other ports and an empty directory.
start() {
  local name=$1 begun=${EPOCHREALTIME/./} try before
  for try in 1 2 3; do
    before=${#pids[@]}
    mkdir -p "$work/$name-$try"
    if "launch_$name" "$work/$name-$try" && "${name}_ready" && make_bucket "$name"; then
      echo "$name is ready after $(((${EPOCHREALTIME/./} - begun) / 1000)) ms" >&2
      return 0
    fi
    tail -n 5 "$work/$name-$try"/log "$work/$name-$try"/log/*.out >&2 2>/dev/null
    [ "${#pids[@]}" -eq "$before" ] || stop_processes "${pids[@]:$before}"
    pids=("${pids[@]:0:$before}")
  done
  echo "with-servers.sh: error: $name did not start in three tries" >&2
  exit 1
}

make_certificate "$work" || exit
export AWS_ACCESS_KEY_ID=$test_key_id AWS_SECRET_ACCESS_KEY=$test_secret
export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
export VAULT_TEST_CA=$work/ca.pem VAULT_TEST_BUCKET=vault-test
# One start at a time on this machine, so that nobody binds a port between another's look and bind.
exec 9>"${TMPDIR:-/tmp}/vault-servers-$(id -u).lock" && flock -w 120 9
for server in $servers; do
  start "$server"
  case $server in
  seaweed) export VAULT_TEST_SEAWEED=$seaweed_url VAULT_TEST_SEAWEED_TLS=$seaweed_tls_url ;;
  rgw) export VAULT_TEST_RGW=$rgw_url VAULT_TEST_RGW_TLS=$rgw_tls_url ;;
  esac
done
exec 9>&-

run_within "$@"
