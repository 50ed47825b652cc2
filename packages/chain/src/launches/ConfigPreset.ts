import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { NATIVE_MINT } from "../accounts/Programs.ts"

/**
 * What a launch starts from before the caller's own fields are laid over it: a configuration with every field stated but those
 * that may be left out. A new field does not compile until the presets state it.
 */
export type CompleteDbcConfig = DbcConfig &
  Required<
    Omit<
      DbcConfig,
      | "leftoverReceiver"
      | "feeClaimer"
      | "migratedPoolFee"
      | "tokenQuoteDecimal"
      | "partnerLiquidityVesting"
      | "creatorLiquidityVesting"
    >
  >

/** A billion tokens of six decimals against SOL, one percent fee taken in SOL, migrating to DAMM v2 at one percent. */
const common: Omit<CompleteDbcConfig, "buildCurveMode" | "buildCurveParam"> = {
  totalTokenSupply: "1000000000",
  migrationOption: 1,
  tokenBaseDecimal: 6,
  dynamicFeeEnabled: true,
  activationType: 1,
  collectFeeMode: 0,
  migrationFeeOption: 2,
  tokenType: 0,
  partnerLpPercentage: 0,
  creatorLpPercentage: 0,
  partnerLockedLpPercentage: 50,
  creatorLockedLpPercentage: 50,
  creatorTradingFeePercentage: 50,
  leftover: "10000",
  tokenUpdateAuthority: 1,
  poolCreationFee: "0",
  enableFirstSwapWithMinFee: false,
  baseFeeParams: {
    baseFeeMode: 0,
    feeSchedulerParam: { startingFeeBps: 100, endingFeeBps: 100, numberOfPeriod: 0, totalDuration: 0 },
  },
  lockedVestingParam: {
    totalLockedVestingAmount: "0",
    numberOfVestingPeriod: 0,
    cliffUnlockAmount: "0",
    totalVestingDuration: 0,
    cliffDurationFromMigrationTime: 0,
  },
  migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
}

/** Defaults of a launchpad. */
export interface LaunchpadPreset {
  readonly config: CompleteDbcConfig
  readonly quoteMint: string
}

export type LaunchpadPresets = Readonly<Record<Launchpad, LaunchpadPreset>>

/** Market caps and thresholds in SOL; the signer claims the fees and gets the leftover. */
export const LAUNCHPAD_PRESETS: LaunchpadPresets = {
  launchpad_a: {
    quoteMint: NATIVE_MINT,
    config: {
      ...common,
      buildCurveMode: 1,
      buildCurveParam: { initialMarketCap: "30", migrationMarketCap: "420" },
    },
  },
  launchpad_b: {
    quoteMint: NATIVE_MINT,
    config: {
      ...common,
      buildCurveMode: 0,
      buildCurveParam: { percentageSupplyOnMigration: 20, migrationQuoteThreshold: "85" },
    },
  },
}

/** An operator's settings of a launchpad, merged over its preset as a caller's configuration is. */
export interface LaunchpadSettings {
  readonly dbcConfig?: DbcConfig
  readonly quoteMint?: string
}

/** The presets merged with the operator's settings. */
export const presetsWith = (settings: Readonly<Partial<Record<Launchpad, LaunchpadSettings>>>): LaunchpadPresets => {
  const preset = (launchpad: Launchpad): LaunchpadPreset => {
    const { config, quoteMint } = LAUNCHPAD_PRESETS[launchpad]
    const given = settings[launchpad] ?? {}
    return { config: completeConfig(config, given.dbcConfig), quoteMint: given.quoteMint ?? quoteMint }
  }
  return { launchpad_a: preset("launchpad_a"), launchpad_b: preset("launchpad_b") }
}

/**
 * `given` laid over a preset, group by group. The points of the curve are those of one mode: they are taken whole, and
 * with another mode the preset's do not count.
 */
export const completeConfig = (preset: CompleteDbcConfig, given: DbcConfig = {}): CompleteDbcConfig => {
  const buildCurveMode = given.buildCurveMode ?? preset.buildCurveMode
  return {
    ...preset,
    ...given,
    buildCurveMode,
    buildCurveParam: given.buildCurveParam ?? (buildCurveMode === preset.buildCurveMode ? preset.buildCurveParam : {}),
    baseFeeParams: { ...preset.baseFeeParams, ...given.baseFeeParams },
    lockedVestingParam: { ...preset.lockedVestingParam, ...given.lockedVestingParam },
    migrationFee: { ...preset.migrationFee, ...given.migrationFee },
  }
}
