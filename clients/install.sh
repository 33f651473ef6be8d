#!/usr/bin/env bash
# Installs the MCP clients and the conformance suite that some tests run: clients/node_modules and clients/.venv.
# Does nothing, and says nothing, where both stand as package-lock.json and requirements.txt have them.
set -euo pipefail
cd "$(dirname "$0")"

fail() {
  echo "$1" >&2
  exit 1
}

if ! cmp -s package-lock.json node_modules/.installed; then
  command -v npm >/dev/null || fail 'npm is missing: apt-get install npm'
  echo 'Installing the MCP Inspector and the conformance suite'
  rm -rf node_modules
  # Not `npm ci`, which refuses a lock file without an optional package that is for Windows only and that not every
  # registry has; the versions are those of the lock file all the same. No package needs its install script here.
  npm install --no-save --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
  cp package-lock.json node_modules/.installed
fi

if ! cmp -s requirements.txt .venv/installed; then
  command -v python3 >/dev/null || fail 'python3 is missing: apt-get install python3 python3-venv'
  python3 -c 'import ensurepip, venv' 2>/dev/null || fail 'The venv module of Python is missing: apt-get install python3-venv'
  echo 'Installing the Python MCP client'
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements.txt
  cp requirements.txt .venv/installed
fi
