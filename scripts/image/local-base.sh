#!/usr/bin/env bash
# Makes what the image is built on where no registry of images can be reached: Debian, Node of this checkout and npm, as
# node:24-slim has them.
#   scripts/image/local-base.sh FOLDER TAG [arm64]    works in FOLDER, which may be removed afterwards
set -euo pipefail
folder=$1
tag=$2
foreign=${3:-}
home=$(cd "$(dirname "$0")/../.." && pwd)

debootstrap ${foreign:+--arch="$foreign"} --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$folder/rootfs" >"$folder/debootstrap.log" 2>&1 \
  || { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }
rm -rf "$folder"/rootfs/var/cache/apt/* "$folder"/rootfs/var/lib/apt/lists/*
# As this machine trusts registries, so does the build.
cp /etc/ssl/certs/ca-certificates.crt "$folder/rootfs/etc/ssl/certs/ca-certificates.crt"

programs=$folder/rootfs/usr/local
node=$home/node_modules/node/bin/node
# unpack PACKAGE INTO: what the registry has of it.
unpack() {
  local archive
  archive=$(cd "$folder" && npm pack "$1" --silent)
  mkdir -p "$2"
  tar -xzf "$folder/$archive" -C "$2" --strip-components=1
}
if [ -z "$foreign" ]; then cp -L "$node" "$programs/bin/node"; else
  unpack "node-linux-$foreign@$("$node" -p 'process.versions.node')" "$folder/node"
  cp "$folder/node/bin/node" "$programs/bin/node"
fi
unpack npm@11 "$programs/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$programs/bin/$name"; done

cat >"$folder/Dockerfile" <<'END'
FROM scratch
COPY rootfs/ /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
END
buildah bud --quiet --format docker ${foreign:+--arch "$foreign"} --tag "$tag" "$folder"
