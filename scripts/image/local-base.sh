#!/usr/bin/env bash
# Makes what the image is built on where no registry of images can be reached: Debian, Node of this checkout and npm, as
# node:24-slim has them.
#   scripts/image/local-base.sh FOLDER TAG    works in FOLDER, which may be removed afterwards
set -euo pipefail
folder=$1
tag=$2
home=$(cd "$(dirname "$0")/../.." && pwd)

debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$folder/rootfs" >"$folder/debootstrap.log" 2>&1 \
  || { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }
rm -rf "$folder"/rootfs/var/cache/apt/* "$folder"/rootfs/var/lib/apt/lists/*
# As this machine trusts registries, so does the build.
cp /etc/ssl/certs/ca-certificates.crt "$folder/rootfs/etc/ssl/certs/ca-certificates.crt"

programs=$folder/rootfs/usr/local
cp -L "$home/node_modules/node/bin/node" "$programs/bin/node"
(cd "$folder" && npm pack npm@11 --silent >/dev/null)
mkdir -p "$programs/lib/node_modules/npm"
tar -xzf "$folder"/npm-*.tgz -C "$programs/lib/node_modules/npm" --strip-components=1
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$programs/bin/$name"; done

cat >"$folder/Dockerfile" <<'END'
FROM scratch
COPY rootfs/ /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
END
buildah bud --quiet --format docker --tag "$tag" "$folder"
