import type { TokenRankingSort } from "@launch-registry/domain/analytics/Analytics"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import type { Address } from "@launch-registry/domain/solana/Address"

/** Values of `{name:Type}`; ordinals as decimal strings. */
export type Parameters = Readonly<Record<string, string | number | ReadonlyArray<string>>>

export interface AnalyticsStatement {
  readonly statement: string
  readonly parameters: Parameters
}

/** Trades that figures are of; times in seconds since 1970, ordinals as `first` (included) and `beyond` (not). */
export interface AnalyticsScope {
  readonly from: number
  readonly to: number | undefined
  readonly first: bigint | undefined
  readonly beyond: bigint
  readonly launchpad?: string | undefined
  readonly config?: string | undefined
  readonly quoteMint?: string | undefined
  readonly mintAddress?: string | undefined
}

/** Rows of a day: anyone can launch with any quote token. */
const ROWS_OF_DAY = 20

/** Groups are many, so each has a small state: exact to some thousands, then off by half a percent on average. */
const distinct = (column: string) => `uniqCombined64(15)(${column})`

const sumOf = (condition = "") => `toString(sum${condition === "" ? "" : "If"}(toUInt128(quote_amount)${condition}))`

/** Conditions on trades `t` of a scope. */
const tradesOf = ({ beyond, config, first, from, launchpad, mintAddress, quoteMint, to }: AnalyticsScope) => {
  const parameters: Record<string, string | number> = { from, beyond: String(beyond) }
  const conditions = ["toUnixTimestamp(t.block_time) >= {from:Int64}", "t.ordinal < {beyond:UInt64}"]
  const add = (name: string, value: string | number | undefined, condition: string) => {
    if (value === undefined) return
    parameters[name] = value
    conditions.push(condition)
  }
  add("to", to, "toUnixTimestamp(t.block_time) < {to:Int64}")
  add("first", first === undefined ? undefined : String(first), "t.ordinal >= {first:UInt64}")
  add("mintAddress", mintAddress, "t.base_mint = {mintAddress:String}")
  add("quoteMint", quoteMint, "t.quote_mint = {quoteMint:String}")
  add("config", config, "t.config = {config:String}")
  const ofLaunchpad = "select base_mint from tokens final where launchpad = {launchpad:String}"
  add("launchpad", launchpad, `t.base_mint in (${ofLaunchpad})`)
  return { within: conditions.join(" and "), parameters }
}

export interface VolumeRow {
  /** Start of the day, in seconds since 1970. */
  readonly day: number
  /** Empty where the token is not registered. */
  readonly launchpad: Launchpad | ""
  readonly quote_mint: Address
  readonly trades: string
  readonly traders: string
  readonly volume: string
}

export const volumeByDay = (scope: AnalyticsScope): AnalyticsStatement => {
  const { parameters, within } = tradesOf(scope)
  return {
    parameters,
    statement: `
      select toUnixTimestamp(toStartOfDay(t.block_time)) as day, k.launchpad as launchpad, t.quote_mint as quote_mint,
        count() as trades, ${distinct("t.trader")} as traders, ${sumOf()} as volume
      from trades as t final
      any left join (select base_mint, launchpad from tokens final where launchpad <> '') as k on k.base_mint = t.base_mint
      where ${within}
      group by day, launchpad, quote_mint
      order by day, count() desc, launchpad, quote_mint limit ${ROWS_OF_DAY} by day`,
  }
}

export interface TokenFigures {
  readonly base_mint: Address
  readonly quote_mint: Address
  readonly trades: string
  readonly traders: string
  readonly volume: string
  readonly last_at: number
}

const RANKED_BY: Readonly<Record<TokenRankingSort, string>> = {
  volume: "sum(toUInt128(quote_amount))",
  trades: "count()",
  traders: distinct("trader"),
}

export const rankedTokens = (scope: AnalyticsScope, sort: TokenRankingSort, limit: number): AnalyticsStatement => {
  const { parameters, within } = tradesOf(scope)
  return {
    parameters: { ...parameters, limit },
    statement: `
      select base_mint, quote_mint, count() as trades, ${distinct("trader")} as traders, ${sumOf()} as volume,
        toUnixTimestamp(max(block_time)) as last_at
      from trades as t final where ${within} group by base_mint, quote_mint
      order by ${RANKED_BY[sort]} desc, base_mint, quote_mint limit {limit:UInt32}`,
  }
}

export interface TokenLaunchpad {
  readonly base_mint: Address
  readonly launchpad: Launchpad | ""
}

export const launchpadsOf = (mints: ReadonlyArray<string>): AnalyticsStatement => ({
  parameters: { mints },
  statement: "select base_mint, launchpad from tokens final where base_mint in {mints:Array(String)}",
})

export interface TraderFigures {
  readonly trader: Address
  readonly quote_mint: Address
  readonly trades: string
  readonly tokens: string
  readonly volume: string
  readonly bought: string
  readonly sold: string
  readonly last_at: number
}

export const rankedTraders = (scope: AnalyticsScope, limit: number): AnalyticsStatement => {
  const { parameters, within } = tradesOf(scope)
  return {
    parameters: { ...parameters, limit },
    statement: `
      select trader, quote_mint, count() as trades, ${distinct("base_mint")} as tokens, ${sumOf()} as volume,
        ${sumOf(", side = 'BUY'")} as bought, ${sumOf(", side = 'SELL'")} as sold, toUnixTimestamp(max(block_time)) as last_at
      from trades as t final where ${within} group by trader, quote_mint
      order by ${RANKED_BY.volume} desc, trader, quote_mint limit {limit:UInt32}`,
  }
}
