/** A curve by the figures that its creator enters, as the configuration of the presets has them: what it raises, and the pool's part. */
import { type CurveTerms, squareRoot } from "./Curve.ts"
import { DECIMALS, type PresetId, QUOTE_DECIMALS, termsOf } from "./CurvePresets.ts"
import type { Issues } from "./Issues.ts"

/** As entered. Market caps in SOL; the fee of trades in percent, that of the launchpad where it is empty. */
export interface OwnFigures {
  readonly supply: string
  readonly startMarketCap: string
  readonly migrationMarketCap: string
  readonly fee: string
}

export const OWN_FIGURES: OwnFigures = {
  supply: "1000000000",
  startMarketCap: "25",
  migrationMarketCap: "400",
  fee: "",
}

/** Which curve a launch has. */
export type CurveId = PresetId | "own"

interface Chosen {
  readonly curve: CurveId
  readonly own: OwnFigures
}

const [SUPPLY_MIN, SUPPLY_MAX] = [1_000_000n, 10n ** 12n]
/** In millionths of a SOL. */
const CAP_SCALE = 6
const [CAP_MIN, CAP_MAX] = [10_000n, 10n ** 12n]
/** How many times the first market cap the other one is. */
const RISE_MAX = 10_000n
/** In basis points (DBC program). */
const [FEE_MIN, FEE_MAX] = [25, 9_900]
/** Digits of a square root of a ratio of market caps, and of a percentage. */
const [ROOT_SCALE, PERCENT_SCALE] = [10n ** 12n, 10_000n]
/** Of the supply, this part is kept back for what rounding takes. */
const LEFTOVER_PART = 100_000n

const capOf = (text: string): bigint | undefined => {
  const [, whole, fraction = ""] = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(CAP_SCALE, "0"))
}

const supplyOf = (text: string): bigint | undefined =>
  /^\d{1,13}$/.test(text.trim()) ? BigInt(text.trim()) : undefined

/** The fee in basis points; `undefined` where none is entered, `null` where it is none. */
const feeBpsOf = (text: string): number | undefined | null => {
  if (text.trim() === "") return undefined
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text.trim())) return null
  const bps = Math.round(Number(text) * 100)
  return bps >= FEE_MIN && bps <= FEE_MAX ? bps : null
}

/** What is wrong with the figures, by their fields. */
export const issuesOfFigures = ({ fee, migrationMarketCap, startMarketCap, supply }: OwnFigures): Issues => {
  const issues: Record<string, string> = {}
  const [tokens, start, end] = [supplyOf(supply), capOf(startMarketCap), capOf(migrationMarketCap)]
  if (tokens === undefined || tokens < SUPPLY_MIN || tokens > SUPPLY_MAX)
    issues["supply"] = "A whole number from 1,000,000 to 1,000,000,000,000"
  const isCap = (cap: bigint | undefined): cap is bigint => cap !== undefined && cap >= CAP_MIN && cap <= CAP_MAX
  const expected = "An amount of SOL from 0.01 to 1,000,000, with at most six digits after the point"
  if (!isCap(start)) issues["startMarketCap"] = expected
  if (!isCap(end)) issues["migrationMarketCap"] = expected
  else if (isCap(start) && (end * 10n < start * 11n || end > start * RISE_MAX))
    issues["migrationMarketCap"] = "Expected 1.1 to 10,000 times the market cap at the start"
  if (feeBpsOf(fee) === null) issues["fee"] = "A percentage from 0.25 to 99, or nothing"
  return issues
}

/**
 * What the curve raises and what goes into the pool, so that the market cap rises from one to the other (as `buildCurveMode` 1 works them
 * out), in as many digits as the configuration takes without loss; `undefined` where the figures are wrong.
 */
const ownTerms = (own: OwnFigures): CurveTerms | undefined => {
  if (Object.keys(issuesOfFigures(own)).length > 0) return undefined
  const [supply, start, end] = [supplyOf(own.supply)!, capOf(own.startMarketCap)!, capOf(own.migrationMarketCap)!]
  const leftover = supply / LEFTOVER_PART > 1n ? supply / LEFTOVER_PART : 1n
  const root = squareRoot((start * ROOT_SCALE * ROOT_SCALE) / end)
  const percent = (root * (supply - leftover) * 100n * PERCENT_SCALE) / ((ROOT_SCALE + root) * supply)
  const raised = (end * percent) / (100n * PERCENT_SCALE)
  const places = 10n ** BigInt(CAP_SCALE)
  const fraction = String(raised % places)
    .padStart(CAP_SCALE, "0")
    .replace(/0+$/, "")
  return {
    poolPercent: Number(percent) / Number(PERCENT_SCALE),
    raises: `${raised / places}${fraction === "" ? "" : `.${fraction}`}`,
    ...{ supply: String(supply), leftover: String(leftover), baseDecimals: DECIMALS, quoteDecimals: QUOTE_DECIMALS },
    ...(feeBpsOf(own.fee) != null && { feeBps: feeBpsOf(own.fee)! }),
  }
}

/** The terms of the chosen curve; `undefined` where own figures are wrong. */
export const chosenTerms = ({ curve, own }: Chosen): CurveTerms | undefined =>
  curve === "own" ? ownTerms(own) : termsOf(curve)

/** What tells one configuration from another: one that has landed is used again for these figures alone. */
export const curveKey = ({ curve, own }: Chosen): string => (curve === "own" ? `own ${JSON.stringify(own)}` : curve)
