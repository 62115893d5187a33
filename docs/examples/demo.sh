#!/bin/sh
# demo.sh: a study goes in sealed, a receipt comes out, and the study comes back bit for bit.
# STUDY=path takes that file; otherwise a DICOM file that ships with pydicom, or a generated one
# when that cannot be had. The tools must be in PATH; `make demo` sees to it.
set -eu

room=$(mktemp -d "${TMPDIR:-/tmp}/vault-demo.XXXXXX")
trap 'rm -rf "$room"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '%s\n' "$*"; }

# Takes the largest DICOM file out of pydicom's wheel, which is a zip archive.
take_dicom() {
  python3 -m pip download -q --disable-pip-version-check --retries 1 --timeout 10 --no-deps \
    -d "$room/wheel" pydicom==3.0.2 >/dev/null 2>&1 </dev/null || return
  python3 - "$room" <<'PY'
import glob, sys, zipfile
room = sys.argv[1]
with zipfile.ZipFile(glob.glob(room + "/wheel/pydicom-*.whl")[0]) as wheel:
    studies = [i for i in wheel.infolist() if i.filename.endswith(".dcm")]
    largest = max(studies, key=lambda i: i.file_size)
    open(room + "/study", "wb").write(wheel.read(largest))
    print(largest.filename.rpartition("/")[2])
PY
}

if [ -n "${STUDY-}" ]; then
  study=$STUDY
  say "study: $study"
elif name=$(take_dicom); then
  study=$room/study
  say "study: $name, a DICOM file from the pydicom wheel"
else
  study=$room/study
  head -c 3000000 /dev/urandom >"$study"
  say "study: generated, 3,000,000 random bytes, since the pydicom wheel cannot be had (offline?)"
fi

vault-key new -o "$room/study.key"
recipient=$(vault-key public "$room/study.key")
say "recipient: $recipient"

# POSIX sh has no pipefail, so each stage leaves its status in a file. Only for the report: a stage
# that dies makes no object, whether anybody reads its status or not.
stage() {
  if "$@"; then status=0; else status=$?; fi
  echo "$status" >"$room/status.$1"
}

mkdir "$room/store"
stage vault-hash <"$study" |
  stage vault-seal -r "$recipient" |
  stage vault-chunk |
  stage vault-put "$room/store/{item}.vault" >"$room/receipt.json"

worst=0
for tool in vault-hash vault-seal vault-chunk vault-put; do
  status=$(cat "$room/status.$tool")
  [ "$status" -eq 0 ] || say "demo.sh: error: $tool ended with $status" >&2
  [ "$status" -eq 0 ] || worst=$status # of several, the last stage's: the others lost their reader
done
[ "$worst" -eq 0 ] || exit "$worst"

say "receipt:"
cat "$room/receipt.json"

set -- "$room"/store/*.vault
vault-open -i "$room/study.key" -o "$room/opened" <"$1"
cmp "$study" "$room/opened"
say "success: $(wc -c <"$study") bytes sealed into $(wc -c <"$1"), opened again, equal bit for bit"
