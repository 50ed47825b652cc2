import type { CreateRequest } from "@launch-registry/client"
import { brand } from "../../brand.ts"
import { SOL_DECIMALS, WRAPPED_SOL } from "../figures/Sol.ts"
import { type CurveTerms, DECIMALS, leftoverOf } from "./Curve.ts"

/** What shapes the curve, as entered: whole tokens, SOL, and percentages; the fee of a trade is that of the launchpad where it is empty. */
export interface CurveFigures {
  readonly supply: string
  readonly raises: string
  readonly poolPercent: string
  readonly fee: string
}

/** Figures to begin with. */
export const PRESETS = [
  { name: "Small", raises: "20", poolPercent: "20", words: "A trial, or a token of few people." },
  { name: "Standard", raises: "85", poolPercent: "20", words: "A token that many people trade." },
  { name: "Large", raises: "400", poolPercent: "25", words: "A deeper pool: large buys move the price less." },
] as const

export const STANDARD: CurveFigures = { supply: "1000000000", raises: "85", poolPercent: "20", fee: "" }

/** What each figure has to be, and in words. */
const RULES: Readonly<Record<keyof CurveFigures, readonly [RegExp, least: number, most: number, words: string]>> = {
  supply: [/^\d{1,13}$/, 1e6, 1e12, "A whole number from 1,000,000 to 1,000,000,000,000"],
  raises: [/^\d{1,6}(\.\d{1,6})?$/, 1, 100_000, "An amount of SOL from 1 to 100,000"],
  poolPercent: [/^\d{1,2}(\.\d{1,2})?$/, 5, 45, "A percentage from 5 to 45, so that the price rises"],
  fee: [/^(\d{1,2}(\.\d{1,2})?)?$/, 0.25, 99, "A percentage from 0.25 to 99, or nothing"],
}

/** What is wrong with the figures, by their fields. */
export const issuesOfFigures = (figures: CurveFigures): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(RULES).flatMap(([field, [form, least, most, words]]) => {
      const text = figures[field as keyof CurveFigures].trim()
      const isWithin = text === "" || (Number(text) >= least && Number(text) <= most)
      return form.test(text) && isWithin ? [] : [[field, words]]
    }),
  )

/** The terms of the curve; `undefined` where figures are wrong. */
export const termsOf = (figures: CurveFigures): CurveTerms | undefined => {
  if (Object.keys(issuesOfFigures(figures)).length > 0) return undefined
  const [fee, supply, raises] = [figures.fee.trim(), figures.supply.trim(), figures.raises.trim()]
  const feeBps = Math.round(Number(fee) * 100)
  return { supply, raises, poolPercent: Number(figures.poolPercent), ...(fee !== "" && { feeBps }) }
}

/**
 * The configuration of a curve. Whatever shapes it is stated, also what the launchpad's preset has: operators can set another one, and what
 * was drawn is what is created. Who claims the fees, and the fee of a trade where it is not stated, are those of the launchpad.
 */
export const configOf = (
  terms: CurveTerms,
): Required<Pick<CreateRequest, "launchpad" | "quoteMint" | "dbcConfig">> => ({
  launchpad: brand.launchpad,
  quoteMint: WRAPPED_SOL,
  dbcConfig: {
    buildCurveMode: 0,
    buildCurveParam: { percentageSupplyOnMigration: terms.poolPercent, migrationQuoteThreshold: terms.raises },
    ...{ totalTokenSupply: terms.supply, leftover: String(leftoverOf(terms.supply)) },
    ...{ tokenBaseDecimal: DECIMALS, tokenQuoteDecimal: SOL_DECIMALS, migrationOption: 1 },
    ...(terms.feeBps !== undefined && {
      baseFeeParams: {
        baseFeeMode: 0,
        feeSchedulerParam: {
          ...{ startingFeeBps: terms.feeBps, endingFeeBps: terms.feeBps, numberOfPeriod: 0, totalDuration: 0 },
        },
      },
    }),
    migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
    lockedVestingParam: {
      ...{ totalLockedVestingAmount: "0", numberOfVestingPeriod: 0, cliffUnlockAmount: "0" },
      ...{ totalVestingDuration: 0, cliffDurationFromMigrationTime: 0 },
    },
  },
})
