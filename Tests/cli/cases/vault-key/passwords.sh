#!/bin/sh
# Where a password comes from, and what of a file is the password.
set -u
# shellcheck source=Tests/cli/keys.sh
. "$(dirname "$0")/../../keys.sh"
vault-key space new --password-file password -o team.space
sealed -r "$(vault-key space capture --unverified team.space 2>/dev/null)" >a.vault
open_with() { says vault-open --space team.space "$@" a.vault; }

echo '- K01, K02, K06: one line end is not part of it, and none need be there'
printf 'correct horse' >p1
printf 'correct horse\r\n' >p2
printf 'correct horse\n\n' >p3
printf 'correct horse \n' >p4
for file in p1 p2 p3 p4; do open_with --password-file $file; done

echo '- a descriptor, a variable, an option before the variable'
open_with --password-fd 3 3<password
VAULT_PASSWORD_FILE=password open_with
VAULT_PASSWORD_FILE=other-password open_with
VAULT_PASSWORD_FILE=other-password open_with --password-file password
VAULT_PASSWORD_FILE='' open_with
bash -c 'vault-open --space team.space --password-file <(cat password) a.vault'

echo '- K05: empty ones'
: >e1
printf '\n' >e2
printf '\r\n' >e3
for file in e1 e2 e3; do open_with --password-file $file; done
says vault-key space new --password-file e1 -o empty.space
ls empty.space

echo '- K07: both the password and the data from standard input'
says vault-open --space team.space --password-fd 0 <a.vault
says vault-key space capture --password-fd 0 team.space <password | sed 's/^age1.*/AGE1/'

echo '- two sources, none, one that is not open and no space'
open_with --password-file password --password-fd 3
says vault-open --space team.space --password-fd 4 a.vault
says setsid -w vault-open --space team.space a.vault
echo '- K10: a file that others can read'
chmod 644 p1
open_with --password-file p1
open_with --password-file p1 --insecure-permissions
says vault-open -i team.key --password-file password a.vault

echo '- a space file with other lines'
says vault-key space inspect a.vault
sed 's/ 600000 / 900000000000 /' team.space >slow.space
says timeout 5 vault-open --space slow.space --password-file password a.vault
sed 's/^revision 1$/revision 2/' team.space >damaged.space
says vault-open --space damaged.space --password-file password a.vault
