#!/bin/sh
# A space is made, sealed for in three ways, opened, given another password.
set -u
# shellcheck source=Tests/cli/keys.sh
. "$(dirname "$0")/../../keys.sh"

echo '- a space is made once'
says vault-key space new --password-file password -o team.space
says vault-key space new --password-file password -o team.space
stat -c %a team.space

echo '- it opens what was sealed for it in every way'
capture=$(vault-key space capture --password-file password team.space)
[ "$capture" = "$(vault-key space capture --unverified team.space)" ] && echo same capture key
sealed --space team.space --password-file password >wrapped.vault
sealed --space team.space --derive --password-file password >derived.vault
sealed -r "$capture" >captured.vault
for object in wrapped derived captured; do
  vault-open --space team.space --password-file password $object.vault
  vault-open --inspect $object.vault | grep -o '"kind":"[a-z0-9]*"'
done

echo '- another password opens nothing'
says vault-open --space team.space --password-file other-password wrapped.vault

echo '- a new password makes a revision, and the old file opens as before'
cp team.space old.space
says vault-key space passwd --password-file password --new-password-file other-password team.space
says vault-open --space team.space --expect-revision 2 --password-file other-password derived.vault
says vault-open --space team.space --expect-revision 1 --password-file other-password derived.vault
says vault-open --space team.space --password-file password derived.vault
says vault-open --space old.space --password-file password captured.vault
vault-key space inspect team.space | grep -o '"revision":[0-9]*,"kdf":"[^"]*","rounds":[0-9]*'

echo '- a new password costs what the old one did, unless it is said'
cp team.space dear.space
says vault-key space passwd --rounds 600001 --password-file other-password --new-password-file password dear.space
says vault-key space passwd --password-file password --new-password-file other-password dear.space
vault-key space inspect dear.space | grep -o '"revision":[0-9]*,"kdf":"[^"]*","rounds":[0-9]*'
rm dear.space

echo '- what nobody would look at is refused'
says vault-key space capture --unverified --expect-revision 9 team.space

echo '- a failed change leaves the file'
cp team.space before
says vault-key space passwd --password-file password --new-password-file other-password team.space
cmp before team.space && ls -A
