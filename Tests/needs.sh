#!/bin/sh
# needs.sh build|check|test|migration|bench...: sees that Swift and the system's packages for these are there. As
# root it installs what is missing; otherwise it prints the line that does, and fails.
set -u

die() {
  echo "needs.sh: error: $1" >&2
  exit 1
}

swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
oldest=$(printf '%s\n' 6.3 "${swift_version:-0}" | sort -V | head -n 1)
[ "$oldest" = 6.3 ] || die "Swift 6.3 or newer is needed, found ${swift_version:-none}"

wanted=
for what; do
  case $what in
  build) wanted="$wanted libssl-dev libcurl4-openssl-dev" ;;
  check) wanted="$wanted shellcheck binutils python3 bsdutils" ;;
  test)
    wanted="$wanted python3-venv openssl curl strace faketime util-linux time"
    wanted="$wanted radosgw ceph-mon ceph-osd ceph-common postgresql"
    # Any Java will do that is there.
    command -v java >/dev/null || wanted="$wanted openjdk-17-jre-headless"
    ;;
  bench)
    wanted="$wanted python3-venv openssl curl util-linux time postgresql"
    wanted="$wanted age gpg gpg-agent rclone restic hyperfine"
    ;;
  migration) wanted="$wanted python3-venv openssl curl util-linux postgresql" ;;
  *) die "nothing is known of \"$what\"" ;;
  esac
done

command -v dpkg-query >/dev/null || exit 0 # not Debian: the build itself says what is missing
missing=
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
[ "$(id -u)" -eq 0 ] || die "packages are missing; run: apt-get update && $install"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "needs.sh: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# The names are separate words on purpose.
if ! { apt-get update && $install; } >"$log" 2>&1 </dev/null; then
  tail -n 20 "$log" >&2
  die "cannot install; run: apt-get update && $install"
fi
