#!/bin/bash
# with-faults.sh SETTINGS COMMAND...: runs COMMAND beside a fault server with these settings (a file,
# or JSON beginning with a brace). COMMAND sees VAULT_TEST_FAULTS (the endpoint),
# VAULT_TEST_REFUSING (an endpoint that refuses connections) and AWS keys that it accepts.
# VAULT_TEST_UPSTREAM=URL puts it in front of a real server.
set -u
here=$(cd "$(dirname "$0")" && pwd)
settings=$1
shift

exec {server}< <(exec setpriv --pdeathsig KILL python3 "$here/fault_server.py" --script "$settings" \
  ${VAULT_TEST_UPSTREAM:+--upstream "$VAULT_TEST_UPSTREAM"} </dev/null)
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
read -r -u "$server" _ port _ refusing || exit 70

export VAULT_TEST_FAULTS=http://127.0.0.1:$port VAULT_TEST_REFUSING=http://127.0.0.1:$refusing
export AWS_ACCESS_KEY_ID=testkey AWS_SECRET_ACCESS_KEY=testsecretkey0123456789
export AWS_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
"$@"
