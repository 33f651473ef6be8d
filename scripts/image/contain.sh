#!/bin/sh
# Runs an image's command as docker-compose.yml has it run: process 1 of its own process tree, the root file system
# read-only but for /tmp, the two volumes, and no more rights than are named. Needs root; to be started by
# `unshare --mount --pid --fork --kill-child`.
#   contain.sh ROOT VAULT DATA CAPABILITIES USER [NAME=VALUE ...] COMMAND...    CAPABILITIES as in +chown,+setuid; USER as in 1000:1000
set -eu
root=$1 vault=$2 data=$3 capabilities=$4 user=$5
shift 5

mount --bind "$root" "$root"
mount --bind "$vault" "$root/vault"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"

exec chroot "$root" /usr/bin/env -i \
  /usr/bin/setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups \
  --bounding-set="-all${capabilities:+,$capabilities}" --inh-caps=-all --no-new-privs /usr/bin/env "$@"
