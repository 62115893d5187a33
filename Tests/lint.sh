#!/bin/bash
# lint.sh: the format of Swift, the shell scripts, the size of files. One count for each file.
set -u
cd "$(dirname "$0")/.." || exit
longest=250
passed=0 failed=0

verdict() { # STATUS MESSAGE
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}

swift format lint --strict -r Sources Tests Package.swift
verdict $? "swift format has complaints"

while IFS= read -r file; do
  [ "$(wc -l <"$file")" -le "$longest" ]
  verdict $? "$file has more than $longest lines"
done < <(find Sources Tests -name '*.swift')

while IFS= read -r file; do
  shellcheck -x "$file"
  verdict $? "$file: see shellcheck"
done < <(git ls-files -z .ci bin docs Tests | xargs -0 grep -lE -m 1 '^#!/bin/(ba)?sh|^# shellcheck shell')

while IFS= read -r file; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$file"
  verdict $? "$file is not Python"
done < <(find Tests docs -name '*.py')

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
