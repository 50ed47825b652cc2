import type { CandleFigure, CandleInterval } from "@launch-registry/domain/launch/Candle"
import { CANDLE_LENGTHS, MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { MINUTES_FROM } from "./KeptTrades.ts"
import { quotePriceInCandle } from "../prices/QuotePrices.ts"

const MILLIS_PER_SECOND = 1_000

/** Which candles: the newest `limit` that start before `to`, none before the one that holds `from`. */
export interface CandleRange {
  readonly interval: CandleInterval
  readonly figure: CandleFigure
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly limit: number
}

/** Prices as sqrt prices (Q64.64); in US dollars as their squares times the price of the quote token ({@link USD_SCALE}). */
export interface CandleRow {
  readonly start: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly baseVolume: string
  readonly quoteVolume: string
  readonly trades: string
  /** In US dollars alone: in smallest units of the quote token, times the same. */
  readonly volumeUsd: string | null
  /** Whether all of it is known: in US dollars it may not be. */
  readonly isKnown: boolean
  /** As the statement saw it; absent where hours are merged, which PostgreSQL keeps for ever. */
  readonly minutesFrom?: Date | null
}

/** The times that a range lies within: `first` is included, `beyond` is not. Both are starts of its candles. */
export const alignedRange = ({ from, interval, to }: CandleRange) => {
  const { seconds } = CANDLE_LENGTHS[interval]
  return {
    first: from && aligned(from, seconds, Math.floor),
    beyond: to && aligned(to, seconds, Math.ceil),
  }
}

/**
 * As many stored candles as `limit` can be merged from: the oldest may be cut short only when there is one more than `limit` of
 * them.
 */
export const storedCandles = (sql: SqlClient, baseMint: string, range: CandleRange): Fragment => {
  const { seconds, storedSeconds } = CANDLE_LENGTHS[range.interval]
  const { beyond, first } = alignedRange(range)
  const conditions = [sql`base_mint = ${baseMint}`, sql`seconds = ${storedSeconds}`]
  if (first !== undefined) conditions.push(sql`bucket >= ${first}`)
  if (beyond !== undefined) conditions.push(sql`bucket < ${beyond}`)
  return sql`
    select bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades
    from candles where ${sql.and(conditions)}
    order by bucket desc limit ${range.limit * (seconds / storedSeconds)}`
}

/** Whether candles of this interval are merged from minutes. */
export const isOfMinutes = ({ interval }: CandleRange): boolean => CANDLE_LENGTHS[interval].storedSeconds === MINUTE

const merged = (sql: SqlClient, range: CandleRange) => {
  const seconds = CANDLE_LENGTHS[range.interval].seconds
  const start = sql`date_bin(make_interval(secs => ${seconds}::integer), bucket, 'epoch'::timestamptz) as start`
  return isOfMinutes(range) ? sql`${start}, ${sql.literal(MINUTES_FROM)}` : start
}

/**
 * Candles that are merged from these, newest first. With the quote token they are in US dollars: each stored candle is converted at its own
 * price.
 */
export const candleRows = (sql: SqlClient, range: CandleRange, stored: Fragment, quoteMint?: string) => {
  const isInUsd = quoteMint !== undefined
  const price = (column: string) => sql.literal(isInUsd ? `${column} * ${column} * usd` : column)
  const volume = isInUsd
    ? "sum(quote_volume * usd) as volume_usd, bool_and(usd is not null)"
    : "null as volume_usd, true"
  const { storedSeconds } = CANDLE_LENGTHS[range.interval]
  const priced = isInUsd
    ? sql`(select c.*, q.usd from (${stored}) c
        left join lateral (${quotePriceInCandle(sql, quoteMint, storedSeconds)}) q on true)`
    : sql`(${stored})`
  return sql<CandleRow>`
    select ${merged(sql, range)},
      (array_agg(${price("open")} order by first_ordinal))[1] as open, max(${price("high")}) as high,
      min(${price("low")}) as low, (array_agg(${price("close")} order by last_ordinal desc))[1] as close,
      sum(base_volume) as base_volume, sum(quote_volume) as quote_volume, sum(trades) as trades,
      ${sql.literal(volume)} as is_known
    from ${priced} stored
    group by start order by start desc limit ${range.limit}`
}

/** The start of the candle of this length next to a time. */
const aligned = (time: Date, seconds: number, round: (value: number) => number): Date => {
  const millis = seconds * MILLIS_PER_SECOND
  return new Date(round(time.getTime() / millis) * millis)
}
