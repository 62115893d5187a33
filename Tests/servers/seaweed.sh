# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names shared with lib.sh and with-servers.sh
# SeaweedFS, one process for everything, on ports of this run; lib.sh is loaded before.

# launch_seaweed DIR: starts it and sets seaweed_pid, seaweed_url, seaweed_tls_url.
launch_seaweed() {
  local dir=$1 ports
  mkdir -p "$dir/data"
  seaweed_identities >"$dir/s3.json"
  read -ra ports < <(free_ports 10)
  local options=(
    -dir="$dir/data" -ip=127.0.0.1 -ip.bind=127.0.0.1
    -master.port="${ports[0]}" -master.port.grpc="${ports[1]}"
    -volume.port="${ports[2]}" -volume.port.grpc="${ports[3]}"
    -filer.port="${ports[4]}" -filer.port.grpc="${ports[5]}"
    -s3.port="${ports[6]}" -s3.port.grpc="${ports[7]}" -s3.port.https="${ports[8]}"
    -s3.port.iceberg=0 -s3.port.lance=0
    -s3.cert.file="$dir/../server.pem" -s3.key.file="$dir/../server.key"
    -s3.config="$dir/s3.json" -s3.autoCreateBucket=false -s3.domainName=localhost
    -admin.port="${ports[9]}" -admin.ui=false -webdav=false -master.telemetry=false
    -master.volumeSizeLimitMB=1024
  )
  local weed=$root/.build/venv/bin/weed
  GOMEMLIMIT=512MiB start_process "$dir/log" "$weed" -logtostderr=true mini "${options[@]}"
  seaweed_pid=$last_pid
  seaweed_url=http://127.0.0.1:${ports[6]}
  seaweed_tls_url=https://127.0.0.1:${ports[8]}
}

seaweed_identities() {
  cat <<JSON
{"identities":[
  {"name":"admin","credentials":[{"accessKey":"$test_key_id","secretKey":"$test_secret"}],
   "actions":["Admin","Read","List","Tagging","Write"]},
  {"name":"reader","credentials":[{"accessKey":"readkey","secretKey":"readsecretkey0123456789"}],
   "actions":["Read","List"]},
  {"name":"writer","credentials":[{"accessKey":"writekey","secretKey":"writesecretkey0123456789"}],
   "actions":["Write"]}]}
JSON
}

seaweed_ready() { wait_ready "$seaweed_url/healthz" "$seaweed_pid" 30; }
