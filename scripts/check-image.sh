#!/usr/bin/env bash
# Builds the Dockerfile on a base made here, runs the image as docker-compose.yml does, and uses it: starts, writes a note
# as an MCP client, looks whose the files are, stops, starts again. Needs root, and some minutes.
#   scripts/check-image.sh [--measure DIR]    also tells how long a start takes with a copy of this folder of notes
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
notes=
if [ "${1:-}" = --measure ]; then notes=$(realpath "$2"); fi
contained=
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
export CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$work" "$work" >"$CONTAINERS_STORAGE_CONF"

cleanup() {
  if [ -n "$contained" ]; then kill -KILL "$contained" 2>/dev/null || true; wait "$contained" 2>/dev/null || true; fi
  rm -rf "$work"
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
registry=$(npm config get registry)
# build TAG [arm64]
build() {
  mkdir "$work/base"
  scripts/image/local-base.sh "$work/base" "$1-base" "${@:2}" >/dev/null
  rm -rf "$work/base"
  buildah bud --quiet --format docker ${2:+--arch "$2"} --build-arg BASE="$1-base" --build-arg NPM_REGISTRY="$registry" \
    --tag "$1" . >"$work/log" 2>&1 || fail "the build of $1 failed"
}
build localhost/grove
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
    [ $((($(date +%s%N) - began) / 1000000000)) -lt 300 ] || fail 'it was not ready within five minutes'
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
key=$(enter grove keys create check 2>/dev/null)
lines=0
while read -r line; do
  read -ra words <<<"$line"
  enter "${words[@]:4}" >"$work/said" 2>&1 </dev/null || { cat "$work/said" >&2; fail "docs/deploy.md: $line"; }
  lines=$((lines + 1))
done < <(grep '^docker compose exec grove grove ' docs/deploy.md)
nobody_elses
stop
say "PUID and PGID: ready after $ready_ms ms, all state theirs, ended after $stopped_ms ms; $lines commands of docs/deploy.md run in it"

## Started as somebody else, as with `user:` in the compose file
capabilities=
start "$owner:$group" grove start
curl -sf -H "Authorization: Bearer $key" -H 'Accept: text/markdown' "$url/v1/notes/Inbox/From%20a%20container.md" | grep -q kettle \
  || fail 'the note is gone'
nobody_elses
stop
say "as another user from the start: ready after $ready_ms ms, the note is there, ended after $stopped_ms ms"

## With many notes
if [ -n "$notes" ]; then
  rm -rf "$vault" "$data"
  cp -R "$notes" "$vault"
  mkdir "$data"
  chown -R "$owner:$group" "$vault" "$data"
  for time in first second third fourth; do
    start "$owner:$group" grove start
    say "$time start with $(find "$vault" -name '*.md' | wc -l) notes: ready after $ready_ms ms, $(cut -d ' ' -f 14,15 "/proc/$inside/stat") ticks of a processor, load $(cut -d ' ' -f 1 /proc/loadavg)"
    stop
  done
fi

## The other platform
if [ "$(uname -m)" != aarch64 ] && [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
  build localhost/grove-arm64 arm64
  arm64=$(buildah from localhost/grove-arm64)
  buildah run --user "$owner:$group" --volume "$vault:/vault" --env GROVE_DATA=/tmp/data "$arm64" -- grove search kettle >"$work/log" 2>&1 \
    || fail 'the image for arm64 finds no note'
  say 'built for arm64, and a note found in it'
else
  say 'not built for arm64: this machine runs no programs of arm64 (apt-get install qemu-user-static)'
fi
say 'all of this holds'
