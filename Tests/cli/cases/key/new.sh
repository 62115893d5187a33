#!/bin/sh
# shellcheck source=/dev/null
. "$(dirname "$0")/../../steps"
umask 000
say 'K10: mode, comment, never overwritten'
vault-key new -o me.key 2>err
stat -c %a me.key
sed 's/age1[a-z0-9]*/age1…/' err
sed 's/age1[a-z0-9]*/age1…/; s/AGE-SECRET-KEY-1[A-Z0-9]*/AGE-SECRET-KEY-1…/' me.key
cp -p me.key before
run vault-key new -o me.key
cmp me.key before
say 'a link that leads nowhere, a directory'
ln -s nowhere link
run vault-key new -o link
run vault-key new -o .
ls
say 'the public half'
vault-key public me.key | grep -c "^age1"
vault-key public - <me.key | grep -c '^age1'
