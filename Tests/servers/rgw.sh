# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names shared with lib.sh and with-servers.sh
# Ceph's S3 gateway over a cluster of one monitor and one OSD in memory; lib.sh is loaded before.

# launch_rgw DIR: starts all three and sets rgw_pid, rgw_url, rgw_tls_url.
launch_rgw() {
  local dir=$1 ports
  mkdir -p "$dir"/{mon,osd,rgw,run,log}
  read -ra ports < <(free_ports 4)
  rgw_url=http://127.0.0.1:${ports[2]}
  rgw_tls_url=https://127.0.0.1:${ports[3]}
  export CEPH_CONF=$dir/ceph.conf CEPH_ARGS=
  rgw_cluster_id=$(cat /proc/sys/kernel/random/uuid)
  rgw_monitors="[v2:127.0.0.1:${ports[0]},v1:127.0.0.1:${ports[1]}]"
  rgw_configuration "$dir" "${ports[2]}" "${ports[3]}" >"$CEPH_CONF"
  launch_monitor "$dir" && launch_osd "$dir" || return
  start_process "$dir/log/rgw.out" radosgw -c "$CEPH_CONF" -f -n client.rgw
  rgw_pid=$last_pid
}

launch_monitor() {
  local dir=$1 keys=$1/keyring all=(--cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *')
  {
    ceph-authtool -C "$keys" --gen-key -n mon. --cap mon 'allow *'
    ceph-authtool "$keys" --gen-key -n client.admin "${all[@]}"
    ceph-authtool "$keys" --gen-key -n client.rgw --cap mon 'allow *' --cap osd 'allow *'
    monmaptool --create --fsid "$rgw_cluster_id" --addv a "$rgw_monitors" "$dir/monmap"
    ceph-mon -c "$CEPH_CONF" --mkfs -i a --monmap "$dir/monmap" --keyring "$keys"
  } >"$dir/log/mkfs-mon" 2>&1 || return
  start_process "$dir/log/mon.out" ceph-mon -c "$CEPH_CONF" -f -i a
}

launch_osd() {
  local dir=$1 id key caps=(mon 'allow profile osd' osd 'allow *' mgr 'allow *')
  id=$(cat /proc/sys/kernel/random/uuid)
  key=$(ceph-authtool --gen-print-key)
  printf '[osd.0]\n\tkey = %s\n' "$key" >"$dir/osd/keyring"
  {
    timeout 20 ceph -c "$CEPH_CONF" osd new "$id" 0 &&
      timeout 20 ceph -c "$CEPH_CONF" auth add osd.0 "${caps[@]}" -i "$dir/osd/keyring" &&
      ceph-osd -c "$CEPH_CONF" -i 0 --mkfs --osd-uuid "$id"
  } >"$dir/log/mkfs-osd" 2>&1 || return
  start_process "$dir/log/osd.out" ceph-osd -c "$CEPH_CONF" -f -i 0
}

# Short waits, for a cluster that is never larger than this; all data in memory.
rgw_configuration() {
  local dir=$1 port=$2 tls_port=$3
  cat <<CONF
[global]
fsid = $rgw_cluster_id
mon host = $rgw_monitors
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms initial backoff = 0.05
paxos propose interval = 0.02
paxos min wait = 0.01
mon tick interval = 1
mon client hunt interval = 0.3
mon client ping interval = 1
osd heartbeat interval = 2
mon osd adjust heartbeat grace = false
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon pg warn min per osd = 0
mon data avail crit = 1
mon data avail warn = 1
mon osd full ratio = .96
mon osd backfillfull ratio = .95
mon osd nearfull ratio = .94
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
run dir = $dir/run
log file = $dir/log/\$name.log
admin socket = $dir/run/\$name.asok
pid file = $dir/run/\$name.pid
keyring = $dir/keyring
[mon.a]
mon data = $dir/mon
mon cluster log file = $dir/log/cluster.log
[osd.0]
osd data = $dir/osd
keyring = $dir/osd/keyring
osd objectstore = memstore
memstore device bytes = 4G
osd class load list = *
osd class default list = *
[client.rgw]
admin socket =
rgw data = $dir/rgw
rgw dns name = localhost
rgw frontends = beast endpoint=127.0.0.1:$port ssl_endpoint=127.0.0.1:$tls_port \
ssl_certificate=$dir/../server.pem ssl_private_key=$dir/../server.key
rgw enable usage log = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw run sync thread = false
rgw num control oids = 1
rgw thread pool size = 64
CONF
}

# Ready when it answers and the test user exists.
rgw_ready() {
  wait_ready "$rgw_url/" "$rgw_pid" 60 &&
    timeout 60 radosgw-admin -c "$CEPH_CONF" -n client.rgw user create --uid=test \
      --display-name=test --access-key="$test_key_id" --secret-key="$test_secret" \
      >"$(dirname "$CEPH_CONF")/log/user" 2>&1
}
