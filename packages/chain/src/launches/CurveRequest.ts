import type { CompleteDbcConfig } from "./ConfigPreset.ts"
import type { CurveRequest } from "../dbc/DbcSdk.ts"

/** The SDK takes amounts in whole tokens as numbers. */
const numbers = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? Number(value) : value]),
  )

/** `config` in the shape of the SDK's `buildCurve*` functions. */
export const curveRequest = (config: CompleteDbcConfig): CurveRequest => ({
  buildCurveMode: config.buildCurveMode,
  parameters: {
    token: {
      tokenType: config.tokenType,
      tokenBaseDecimal: config.tokenBaseDecimal,
      tokenQuoteDecimal: config.tokenQuoteDecimal,
      tokenAuthorityOption: config.tokenUpdateAuthority,
      totalTokenSupply: Number(config.totalTokenSupply),
      leftover: Number(config.leftover),
    },
    fee: {
      baseFeeParams: config.baseFeeParams,
      dynamicFeeEnabled: config.dynamicFeeEnabled,
      collectFeeMode: config.collectFeeMode,
      creatorTradingFeePercentage: config.creatorTradingFeePercentage,
      poolCreationFee: Number(config.poolCreationFee),
      enableFirstSwapWithMinFee: config.enableFirstSwapWithMinFee,
    },
    migration: {
      migrationOption: config.migrationOption,
      migrationFeeOption: config.migrationFeeOption,
      migrationFee: config.migrationFee,
      ...(config.migratedPoolFee === undefined
        ? {}
        : { migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, ...config.migratedPoolFee } }),
    },
    liquidityDistribution: {
      partnerPermanentLockedLiquidityPercentage: config.partnerLockedLpPercentage,
      partnerLiquidityPercentage: config.partnerLpPercentage,
      creatorPermanentLockedLiquidityPercentage: config.creatorLockedLpPercentage,
      creatorLiquidityPercentage: config.creatorLpPercentage,
    },
    lockedVesting: numbers(config.lockedVestingParam),
    activationType: config.activationType,
    ...numbers(config.buildCurveParam),
  },
})
