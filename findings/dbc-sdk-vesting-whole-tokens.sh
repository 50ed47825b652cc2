#!/usr/bin/env bash
# @meteora-ag/dynamic-bonding-curve-sdk 1.5.12, getLockedVestingParams: what unlocks in each period is rounded down to
# whole tokens, and the rest is added to the cliff. So 100 tokens over 365 daily periods, with no cliff asked for, are all
# unlocked at once (amountPerPeriod 0), and of 1,000 tokens 270 are. The DBC program takes amounts in smallest units, so
# 2,739,726 units a day are possible. Nothing is said or thrown. Seen: the two lines below.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @meteora-ag/dynamic-bonding-curve-sdk@1.5.12 >/dev/null
cat >run.cjs <<'EOF'
const sdk = require("@meteora-ag/dynamic-bonding-curve-sdk")
const day = 86_400
for (const tokens of [100, 1_000]) {
  const { amountPerPeriod, cliffUnlockAmount } = sdk.getLockedVestingParams(tokens, 365, 0, 365 * day, 0, 6)
  console.log(`${tokens} tokens: ${amountPerPeriod} units a day, ${cliffUnlockAmount} units at the cliff`)
}
EOF
node run.cjs 2>/dev/null >seen
cat seen
diff - seen <<'EOF'
100 tokens: 0 units a day, 100000000 units at the cliff
1000 tokens: 2000000 units a day, 270000000 units at the cliff
EOF
