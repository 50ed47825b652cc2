/** The configuration of a curve in words. */
import type { MigratedPool, PoolConfig } from "@launch-registry/client"
import { formatCompact, formatDecimal, wholeAmount } from "../Format.ts"

/** A fact with its name. */
export type Fact = readonly [name: string, text: string]

/** Basis points as percent: 125 is 1.25 %. */
export const percentOfBps = (bps: number): string => `${Number((bps / 100).toFixed(4))}%`

/** Billionths as percent, exactly. */
const percentOfBillionths = (numerator: string): string => `${formatDecimal(wholeAmount(numerator, 7))}%`

const BASE_FEES: Readonly<Record<number, string>> = {
  0: "when the pool opens; it may fall step by step afterwards",
  1: "when the pool opens; it may fall exponentially afterwards",
  2: "for small buys, and more for larger ones (rate limiter)",
}
const POOL_FEES = ["0.25%", "0.3%", "1%", "2%", "4%", "6%"]
const UPDATE_AUTHORITIES: Readonly<Record<number, string>> = {
  0: "the creator",
  1: "no one",
  2: "the platform",
  3: "the creator, who can also mint more",
  4: "the platform, which can also mint more",
}

const feesOfMigrated = ({ migratedPoolFeeBps, migrationFeeOption }: PoolConfig): string =>
  POOL_FEES[migrationFeeOption] ?? percentOfBps(migratedPoolFeeBps)

const liquidity = (config: PoolConfig): string => {
  const locked = config.partnerPermanentLockedLiquidityPercentage + config.creatorPermanentLockedLiquidityPercentage
  const parts = [
    [locked, "locked for good"],
    [config.creatorLiquidityPercentage, "the creator can withdraw"],
    [config.partnerLiquidityPercentage, "the platform can withdraw"],
  ] as const
  const said = parts.filter(([percent]) => percent > 0).map(([percent, what]) => `${percent}% ${what}`)
  return said.length === 0 ? "not known" : said.join(", ")
}

/** What a trader and a creator want to know of it, one line each. */
export const curveFacts = (config: PoolConfig, unit: string, quoteDecimals: number): ReadonlyArray<Fact> => {
  const base = (amount: string): string => formatCompact(wholeAmount(amount, config.tokenDecimal))
  const threshold = formatDecimal(wholeAmount(config.migrationQuoteThreshold, quoteDecimals))
  return [
    [
      "Trading fee",
      `${percentOfBillionths(config.cliffFeeNumerator)} ${BASE_FEES[config.baseFeeMode] ?? "of a kind not known here"}${
        config.dynamicFeeEnabled ? ", and more while the price moves fast" : ""
      }`,
    ],
    ["Fee is taken in", config.collectFeeMode === 0 ? unit : "what a swap gives out"],
    [
      "Of the trading fees",
      `${config.creatorTradingFeePercentage}% go to the creator, ${100 - config.creatorTradingFeePercentage}% to the platform, after the protocol's part`,
    ],
    ["Raises", `${threshold} ${unit}, by selling ${base(config.swapBaseAmount)} tokens`],
    ["Price at the end", `${formatDecimal(config.migrationPrice)} ${unit}`],
    [
      "Then it migrates to",
      config.migrationOption === 0
        ? "Meteora DAMM v1"
        : `Meteora DAMM v2, with a fee of ${feesOfMigrated(config)}${config.migratedDynamicFee === 1 ? " and a dynamic one" : ""}`,
    ],
    ["Liquidity of that pool", liquidity(config)],
    [
      "Kept at the migration",
      config.migrationFeePercentage === 0
        ? "nothing"
        : `${config.migrationFeePercentage}% of what was raised, ${config.creatorMigrationFeePercentage}% of it for the creator`,
    ],
    [
      "Supply",
      config.preMigrationTokenSupply === config.postMigrationTokenSupply
        ? `${base(config.preMigrationTokenSupply)} tokens`
        : `${base(config.preMigrationTokenSupply)} tokens, ${base(config.postMigrationTokenSupply)} after the migration`,
    ],
    ["Token", config.tokenType === 0 ? "SPL Token" : "Token-2022"],
    ["Metadata can be changed by", UPDATE_AUTHORITIES[config.tokenUpdateAuthority] ?? "not known"],
    ["First buy in the launch", config.enableFirstSwapWithMinFee ? "pays the lowest fee" : "pays the fee of everybody"],
  ]
}

const COLLECTED = [
  "in what a swap gives out",
  "in the quote token",
  "in the quote token, a part stays in the pool",
  "in what is sent",
]

/** The pool that trading continues in. */
export const migratedFacts = (pool: MigratedPool, unit: string, quoteDecimals: number): ReadonlyArray<Fact> => {
  const locked =
    pool.liquidity === "0" ? 0 : Number((BigInt(pool.permanentLockedLiquidity) * 10_000n) / BigInt(pool.liquidity))
  return [
    ["Swaps", pool.isEnabled ? "open" : "switched off by its operator"],
    ["Fee now", `${percentOfBps(pool.feeBps)}, ${COLLECTED[pool.collectFeeMode] ?? "in a token not known here"}`],
    ["In the pool", `${formatDecimal(wholeAmount(pool.quoteReserve, quoteDecimals))} ${unit}`],
    ["Locked for good", `${percentOfBps(locked)} of the liquidity`],
  ]
}
