# shellcheck shell=bash
# shellcheck disable=SC2034 # the files that load this one use the names
# What every server needs: free ports, a certificate, a ready check, an end by process id.

test_key_id=testkey
test_secret=testsecretkey0123456789

# Prints $1 free ports below the range of outgoing connections, so that none of those takes one
# between this look and the server's bind. Two looks can still meet: starters try again.
free_ports() {
  python3 - "$1" <<'PY'
import random, socket, sys
held = []
while len(held) < int(sys.argv[1]):
    s = socket.socket()
    try:
        s.bind(("127.0.0.1", random.randrange(10240, 22000)))
        held.append(s)
    except OSError:
        s.close()
print(*(s.getsockname()[1] for s in held))
PY
}

# make_certificate DIR: ca.pem, and server.pem with server.key for localhost and 127.0.0.1.
make_certificate() (
  cd "$1" || exit
  new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
  new_key ca.key && new_key server.key
  openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj '/CN=vault test CA' -out ca.pem \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
  openssl req -new -key server.key -subj '/CN=localhost' -out server.csr
  printf '%s\n' 'subjectAltName=DNS:localhost,DNS:vault-test.localhost,IP:127.0.0.1' \
    'basicConstraints=CA:FALSE' 'extendedKeyUsage=serverAuth' >server.ext
  openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -sha256 \
    -extfile server.ext -out server.pem 2>/dev/null
)

# start_process LOG COMMAND...: runs it so that it dies with this shell even after SIGKILL, and
# remembers its process id in `pids` and `last_pid`.
start_process() {
  local log=$1
  shift
  setpriv --pdeathsig KILL "$@" >"$log" 2>&1 </dev/null 9>&- &
  last_pid=$!
  pids+=("$last_pid")
}

# wait_ready URL PID SECONDS: until the server answers anything at all, or has died.
wait_ready() {
  local end=$((SECONDS + $3))
  while kill -0 "$2" 2>/dev/null && [ "$SECONDS" -le "$end" ]; do
    curl -s -o /dev/null --noproxy '*' --max-time 2 "$1" && return 0
    sleep 0.05
  done
  return 1
}

# stop_processes PID...: TERM to all, KILL to what is left after two seconds.
stop_processes() {
  local pid
  for pid; do kill "$pid" 2>/dev/null; done
  for _ in {1..20}; do
    kill -0 "$@" 2>/dev/null || break
    sleep 0.1
  done
  for pid; do kill -9 "$pid" 2>/dev/null; done
  for pid; do wait "$pid" 2>/dev/null; done
  return 0
}

# begin_work NAME: a directory `work` of this process, which goes when it ends, however it ends, and with it
# the `command_pid` and all `pids`.
begin_work() {
  pids=()
  command_pid=
  work=$(mktemp -d "${TMPDIR:-/tmp}/$1.XXXXXX") || exit
  trap tear_down EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# shellcheck disable=SC2317 # called by the trap
tear_down() {
  [ -z "$command_pid" ] || kill "$command_pid" 2>/dev/null
  [ "${#pids[@]}" -eq 0 ] || stop_processes "${pids[@]}"
  rm -rf "$work"
}

# run_within COMMAND...: runs it beside what was started, and ends with its status.
run_within() {
  setpriv --pdeathsig TERM "$@" &
  command_pid=$!
  wait "$command_pid"
  local status=$?
  command_pid=
  exit "$status"
}
