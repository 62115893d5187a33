#!/bin/sh
# A space under an access key, and what is not one.
set -u
# shellcheck source=Tests/cli/keys.sh
. "$(dirname "$0")/../../keys.sh"

head -c 32 /dev/urandom >access.key
head -c 32 /dev/urandom >other.key
says vault-key space new --access-key-file access.key -o robot.space
sealed --space robot.space --access-key-file access.key >a.vault
says vault-open --space robot.space --access-key-file access.key a.vault
echo '- another access key, a password, a key of 31 bytes'
says vault-open --space robot.space --access-key-file other.key a.vault
says vault-open --space robot.space --password-file password a.vault
head -c 31 other.key >short.key
says vault-open --space robot.space --access-key-file short.key a.vault
echo '- from an access key to a password'
says vault-key space passwd --access-key-file access.key --new-password-file password robot.space
says vault-open --space robot.space --password-file password a.vault
says vault-open --space robot.space --access-key-file access.key a.vault
