import type { CreateRequest } from "@launch-registry/client"
import { brand } from "../../brand.ts"
import type { CurveTerms } from "./Curve.ts"

/** Curves to choose from. */
export const PRESETS = [
  { id: "small", name: "Small", raises: "20", poolPercent: 20, words: "A trial, or a token of few people." },
  {
    id: "standard",
    name: "Standard",
    raises: "85",
    poolPercent: 20,
    words: "A token that many people trade.",
  },
  {
    ...{ id: "large", name: "Large", raises: "400", poolPercent: 25 },
    words: "A deeper pool: large buys move the price less.",
  },
] as const

export type PresetId = (typeof PRESETS)[number]["id"]
export const PRESET_IDS: ReadonlyArray<PresetId> = PRESETS.map(({ id }) => id)

export const SUPPLY = "1000000000"
export const DECIMALS = 6
const LEFTOVER = "10000"
export const QUOTE_DECIMALS = 9
const SOL = "So11111111111111111111111111111111111111112"

export const termsOf = (id: PresetId): CurveTerms => {
  const { poolPercent, raises } = PRESETS.find((preset) => preset.id === id)!
  return {
    ...{ poolPercent, raises, supply: SUPPLY, leftover: LEFTOVER },
    ...{ baseDecimals: DECIMALS, quoteDecimals: QUOTE_DECIMALS },
  }
}

type ConfigRequest = Required<Pick<CreateRequest, "launchpad" | "quoteMint" | "dbcConfig">>

/**
 * The configuration of a preset. Whatever shapes the curve is stated, also what the launchpad's preset has: operators can set another
 * one, and what was drawn is what is created. Who claims the fees, and the fee of a trade where it is not stated, are those of the launchpad.
 */
export const configOf = (terms: CurveTerms): ConfigRequest => ({
  launchpad: brand.launchpad,
  quoteMint: SOL,
  dbcConfig: {
    buildCurveMode: 0,
    buildCurveParam: { percentageSupplyOnMigration: terms.poolPercent, migrationQuoteThreshold: terms.raises },
    totalTokenSupply: terms.supply,
    leftover: terms.leftover,
    tokenBaseDecimal: terms.baseDecimals,
    tokenQuoteDecimal: terms.quoteDecimals,
    migrationOption: 1,
    ...(terms.feeBps !== undefined && {
      baseFeeParams: {
        baseFeeMode: 0,
        feeSchedulerParam: {
          ...{ startingFeeBps: terms.feeBps, endingFeeBps: terms.feeBps },
          ...{ numberOfPeriod: 0, totalDuration: 0 },
        },
      },
    }),
    migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
    lockedVestingParam: {
      totalLockedVestingAmount: "0",
      numberOfVestingPeriod: 0,
      cliffUnlockAmount: "0",
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
  },
})
