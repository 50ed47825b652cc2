import type { CandleFigure, CandleInterval } from "@launch-registry/domain/launch/Candle"
import { CANDLE_LENGTHS, HOUR, TRADE } from "@launch-registry/domain/launch/StoredCandle"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
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
  /** How many candles were merged to those of the page and to others, and the first of their times. */
  readonly merged: bigint
  readonly mergedFrom: Date
}

/** The times that a range lies within: `first` is included, `beyond` is not. Both are starts of its candles. */
export const alignedRange = ({ from, interval, to }: CandleRange) => {
  const start = to && startOf(to, interval)
  return {
    first: from && startOf(from, interval),
    beyond: to && start && (start < to ? endOf(start, interval) : start),
  }
}

/** Merges stored candles to those of a range, newest first. */
export type MergeCandles = (range: CandleRange, stored: Fragment) => Statement<CandleRow>

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

/** Whether candles of this interval are made of trades. */
export const isOfTrades = ({ interval }: CandleRange): boolean => CANDLE_LENGTHS[interval].storedSeconds === TRADE

/** Whether they are made of hours, which PostgreSQL keeps for ever. */
export const isOfHours = ({ interval }: CandleRange): boolean => CANDLE_LENGTHS[interval].storedSeconds === HOUR

const merged = (sql: SqlClient, range: CandleRange) => {
  const { interval } = range
  const length = sql`make_interval(secs => ${CANDLE_LENGTHS[interval].seconds}::integer)`
  const start =
    interval === "1mo"
      ? sql`date_trunc('month', bucket, 'UTC')`
      : sql`date_bin(${length}, bucket, ${new Date(originOf(interval))}::timestamptz)`
  return isOfHours(range) ? sql`${start} as start` : sql`${start} as start, ${sql.literal(MINUTES_FROM)}`
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
      ${sql.literal(volume)} as is_known, (sum(count(*)) over ())::bigint as merged, min(min(bucket)) over () as merged_from
    from ${priced} stored
    group by start order by start desc limit ${range.limit}`
}

/** A Monday: weeks begin with it. */
const MONDAY = Date.UTC(1970, 0, 5)
const originOf = (interval: CandleInterval) => (interval === "1w" ? MONDAY : 0)

/** The start of the candle that holds a time. */
const startOf = (time: Date, interval: CandleInterval): Date => {
  if (interval === "1mo") return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()))
  const [millis, origin] = [CANDLE_LENGTHS[interval].seconds * MILLIS_PER_SECOND, originOf(interval)]
  return new Date(origin + Math.floor((time.getTime() - origin) / millis) * millis)
}

const endOf = (start: Date, interval: CandleInterval): Date =>
  interval === "1mo"
    ? new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
    : new Date(start.getTime() + CANDLE_LENGTHS[interval].seconds * MILLIS_PER_SECOND)
