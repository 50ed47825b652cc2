#!/usr/bin/env bash
# @meteora-ag/dynamic-bonding-curve-sdk 1.5.12, buildCurveWithMarketCap: with the same market caps (100 and 3,000 SOL), a
# supply of a billion tokens builds a curve, and one of a million throws "Not enough liquidity", because rounding misses
# 122 of the threshold's 463,161,266,384 lamports. The program takes such a supply. Seen: the lines below.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @meteora-ag/dynamic-bonding-curve-sdk@1.5.12 >/dev/null
cat >run.cjs <<'EOF'
const sdk = require("@meteora-ag/dynamic-bonding-curve-sdk")
const curve = (totalTokenSupply) =>
  sdk.buildCurveWithMarketCap({
    token: { tokenType: 0, tokenBaseDecimal: 6, tokenQuoteDecimal: 9, tokenAuthorityOption: 1, totalTokenSupply, leftover: 0 },
    fee: {
      baseFeeParams: {
        baseFeeMode: sdk.BaseFeeMode.FeeSchedulerLinear,
        feeSchedulerParam: { startingFeeBps: 100, endingFeeBps: 100, numberOfPeriod: 0, totalDuration: 0 },
      },
      dynamicFeeEnabled: false,
      collectFeeMode: 0,
      creatorTradingFeePercentage: 0,
      poolCreationFee: 0,
      enableFirstSwapWithMinFee: false,
    },
    migration: { migrationOption: 1, migrationFeeOption: 0, migrationFee: { feePercentage: 0, creatorFeePercentage: 0 } },
    liquidityDistribution: {
      partnerPermanentLockedLiquidityPercentage: 0,
      partnerLiquidityPercentage: 0,
      creatorPermanentLockedLiquidityPercentage: 100,
      creatorLiquidityPercentage: 0,
    },
    lockedVesting: {
      totalLockedVestingAmount: 0,
      numberOfVestingPeriod: 0,
      cliffUnlockAmount: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
    activationType: 1,
    initialMarketCap: 100,
    migrationMarketCap: 3_000,
  })
for (const supply of [1_000_000_000, 1_000_000]) {
  try {
    console.log(`${supply}: threshold ${curve(supply).migrationQuoteThreshold}`)
  } catch (error) {
    console.log(`${supply}: ${error.message}`)
  }
}
EOF
node run.cjs 2>/dev/null >seen
cat seen
diff - seen <<'EOF'
1000000000: threshold 463161266384
1000000: Not enough liquidity, migrationThreshold: 463161266384  amountLeft: 122
EOF
