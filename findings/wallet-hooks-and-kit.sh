#!/usr/bin/env bash
# The React packages for Solana wallets beside the newest @solana/kit, on 2026-11-29.
#
# @solana/react 7.0.0 (the newest) asks for @solana/kit 7.0.0 exactly: npm refuses to install it beside @solana/kit 8.4.0 (the newest).
# @solana/connector 0.2.4 (the newest) installs, with two more kits: 5.5.1 of its own and 7.1.1 of the mobile wallet adapter.
#
# Output seen: "npm error code ERESOLVE" and 'peer @solana/kit@"7.0.0" from @solana/react@7.0.0'; "kits: 5.5.1 7.1.1 8.4.0".
# What works with any kit: @wallet-standard/app, whose wallets sign bytes, as apps/launchpad uses it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
options=(--package-lock-only --ignore-scripts --no-audit --no-fund)

echo '{"private":true}' > package.json
if npm install "${options[@]}" @solana/react@7.0.0 @solana/kit@8.4.0 react@19.3.1 > react.log 2>&1; then
  echo "changed: @solana/react 7.0.0 installs beside @solana/kit 8.4.0" >&2
  exit 1
fi
grep -F 'npm error code ERESOLVE' react.log
grep -o -m 1 'peer @solana/kit@"7.0.0" from @solana/react@7.0.0' react.log

echo '{"private":true}' > package.json
npm install "${options[@]}" @solana/connector@0.2.4 @solana/kit@8.4.0 react@19.3.1 > connector.log 2>&1
kits=$(node -p '
  const { packages } = JSON.parse(require("node:fs").readFileSync("package-lock.json", "utf8"));
  const versions = Object.entries(packages).filter(([path]) => path.endsWith("node_modules/@solana/kit")).map(([, { version }]) => version);
  [...new Set(versions)].sort().join(" ")')
echo "kits: $kits"
grep -qw "5.5.1" <<< "$kits"
