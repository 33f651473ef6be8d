#!/usr/bin/env bash
# Builds the Dockerfile on a base made here, runs the image as docker-compose.yml does, and uses it: starts, writes a note
# as an MCP client, looks whose the files are, stops, starts again. Needs root, and some minutes.
#   scripts/check-image.sh [--keep]    --keep leaves the images for another look, and says where
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for pair in buildah:buildah debootstrap:debootstrap unshare:util-linux git:git curl:curl npm:npm; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair##*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "The image was not checked. Run: apt-get install ${missing[*]}" >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'The image was not checked: run it as root.' >&2
  exit 1
fi

node=node_modules/node/bin/node
work=$(mktemp -d "${TMPDIR:-/tmp}/grove-image-XXXXXX")
keep=${1:-}
contained=
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
export CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$work" "$work" >"$CONTAINERS_STORAGE_CONF"

cleanup() {
  if [ -n "$contained" ]; then kill -KILL "$contained" 2>/dev/null || true; wait "$contained" 2>/dev/null || true; fi
  if [ "$keep" = --keep ]; then echo "Left in $work"; else rm -rf "$work"; fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM

say() { echo "image: $*"; }
fail() {
  echo "image: $*" >&2
  if [ -e "$work/log" ]; then tail -n 40 "$work/log" >&2; fi
  exit 1
}

## Building
mkdir "$work/base"
scripts/image/local-base.sh "$work/base" localhost/grove-base >/dev/null
rm -rf "$work/base"
registry=$(npm config get registry)
buildah bud --quiet --format docker --build-arg BASE=localhost/grove-base --build-arg NPM_REGISTRY="$registry" \
  --tag localhost/grove . >"$work/log" 2>&1 || fail 'the build failed'
container=$(buildah from localhost/grove)
root=$(buildah mount "$container")
size() { du -sm --apparent-size "$1" | cut -f1; }
say "built for $(uname -m): Grove with all that it needs $(size "$root/app") MB, on a base of $(($(size "$root") - $(size "$root/app"))) MB"

## What it runs on
owner=4711
group=4712
vault=$work/vault
data=$work/data
mkdir -p "$vault/Inbox" "$data"
printf '# Kettle\n\nBought in spring.\n' >"$vault/Kettle.md"
git -C "$vault" -c init.defaultBranch=main init -q
git -C "$vault" add Kettle.md
git -C "$vault" -c user.name=Owner -c user.email=owner@example.org commit -qm 'First note'
chown -R "$owner:$group" "$vault"
# As Docker makes it.
chmod 755 "$work" "$data"

port=$("$node" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
url=http://127.0.0.1:$port
capabilities=$(sed -n 's/^ *cap_add: \[\(.*\)\]$/\1/p' docker-compose.yml | head -n 1 | tr -d ' ' | tr 'A-Z' 'a-z' | sed 's/[a-z]/+&/; s/,/,+/g')
mapfile -t environment < <(buildah inspect --format '{{range .Docker.Config.Env}}{{println .}}{{end}}' "$container" | sed '/^$/d')

# start USER [NAME=VALUE ...] COMMAND... : in a container, as process 1; $inside is its id out here.
start() {
  local user=$1
  shift
  unshare --mount --pid --fork --kill-child scripts/image/contain.sh "$root" "$vault" "$data" "$capabilities" "$user" \
    "${environment[@]}" GROVE_PORT="$port" "$@" >"$work/log" 2>&1 </dev/null &
  contained=$!
  began=$(date +%s%N)
  until [ "$(curl -s -o /dev/null -w '%{http_code}' "$url/readyz" 2>/dev/null)" = 200 ]; do
    kill -0 "$contained" 2>/dev/null || fail 'it ended before it was ready'
    [ $((($(date +%s%N) - began) / 1000000000)) -lt 120 ] || fail 'it was not ready within two minutes'
    sleep 0.05
  done
  ready_ms=$((($(date +%s%N) - began) / 1000000))
  inside=$(cut -d ' ' -f 1 "/proc/$contained/task/$contained/children")
}

# The same as `docker compose exec grove ...`.
enter() {
  nsenter --target "$inside" --mount --pid --root --wd="$root/vault" /usr/bin/env -i "${environment[@]}" GROVE_PORT="$port" "$@"
}

# stop: asks it to end, and fails when that takes more than ten seconds.
stop() {
  local began
  began=$(date +%s%N)
  kill -TERM "$inside"
  status=0
  wait "$contained" || status=$?
  contained=
  stopped_ms=$((($(date +%s%N) - began) / 1000000))
  [ "$status" -eq 0 ] || fail "it ended with $status"
  [ "$stopped_ms" -le 10000 ] || fail "it took $stopped_ms ms to end"
}

nobody_elses() {
  local foreign
  foreign=$(find "$vault" "$data" \( ! -uid "$owner" -o ! -gid "$group" \) -print -quit)
  [ -z "$foreign" ] || fail "$foreign belongs to $(stat -c %u:%g "$foreign")"
}

## Started as root, with nothing said: as the owner of the vault
start 0:0 grove start
[ "$(stat -c %u:%g "/proc/$inside")" = "$owner:$group" ] || fail "it runs as $(stat -c %u:%g "/proc/$inside")"
grep -q '^CapBnd:[[:space:]]*0*$' "/proc/$inside/status" || fail 'it has rights that it does not need'
if enter sh -c ': >/app/probe' 2>/dev/null; then fail 'the root file system can be written'; fi
say "ready after $ready_ms ms as the owner of the vault, without rights of root, on a read-only root file system"

key=$(grep -o 'Bearer [A-Za-z0-9_-]*' "$work/log" | head -n 1 | cut -d ' ' -f 2)
[ -n "$key" ] || fail 'the log shows no key'
enter grove vault writes on >/dev/null
"$node" apps/cli/src/testing/image-session.ts "$url" "$key" >"$work/session" || fail 'the session failed'
say "$(cat "$work/session")"
enter grove status --json | grep -q '"store": *"lancedb"' || fail 'vectors are not kept in LanceDB'
git -c safe.directory="$vault" -C "$vault" log --format=%s -- 'Inbox/From a container.md' | grep -q . || fail 'the note is in no commit'
git -c safe.directory="$vault" -C "$vault" fsck --no-progress || fail 'git finds fault with the repository'
nobody_elses
say "vectors in LanceDB; the note, .git and all state belong to $owner:$group; git fsck finds nothing"

mapfile -t health < <(buildah inspect --format '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' "$container" | sed '/^$/d')
enter "${health[@]:1}" || fail 'the health check fails beside a server that is ready'
stop
say "health check; ended $stopped_ms ms after SIGTERM"

## Started as root, with PUID and PGID: the state of before is given to them
owner=4713
chown -R "$owner" "$vault"
start 0:0 PUID="$owner" PGID="$group" grove start
[ "$(stat -c %u:%g "/proc/$inside")" = "$owner:$group" ] || fail "it runs as $(stat -c %u:%g "/proc/$inside")"
nobody_elses
stop
say "PUID and PGID: ready after $ready_ms ms, all state theirs, ended after $stopped_ms ms"

## Started as somebody else, as with `user:` in the compose file
capabilities=
start "$owner:$group" grove start
curl -sf -H "Authorization: Bearer $key" -H 'Accept: text/markdown' "$url/v1/notes/Inbox/From%20a%20container.md" | grep -q kettle \
  || fail 'the note is gone'
nobody_elses
stop
say "as another user from the start: ready after $ready_ms ms, the note is there, ended after $stopped_ms ms"

[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || say 'arm64 was not built: this machine runs no programs of arm64 (apt-get install qemu-user-static)'
say 'all of this holds'
