#!/usr/bin/env bash
# @meteora-ag/dynamic-bonding-curve-sdk 1.5.12: a duration that is no multiple of its periods is changed without a word,
# and not the same way everywhere. 199 s in 100 periods: the fee scheduler rounds a period down (100 s in all), the
# vesting of liquidity rounds it to the nearest second (200 s), and 149 s become 100 s in both. Seen: the lines below.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @meteora-ag/dynamic-bonding-curve-sdk@1.5.12 >/dev/null
cat >run.cjs <<'EOF'
const sdk = require("@meteora-ag/dynamic-bonding-curve-sdk")
for (const seconds of [199, 149]) {
  const fee = sdk.getFeeSchedulerParams(500, 100, sdk.BaseFeeMode.FeeSchedulerLinear, 100, seconds)
  const liquidity = sdk.getLiquidityVestingInfoParams(50, 100, 100, 0, seconds)
  console.log(`${seconds} s: fee scheduler ${100 * Number(fee.secondFactor)} s, liquidity ${100 * liquidity.frequency} s`)
}
EOF
node run.cjs 2>/dev/null >seen
cat seen
diff - seen <<'EOF'
199 s: fee scheduler 100 s, liquidity 200 s
149 s: fee scheduler 100 s, liquidity 100 s
EOF
