import type { CandleFigure, CandleInterval } from "@launch-registry/domain/launch/Candle"
import { CANDLE_LENGTHS } from "@launch-registry/domain/launch/StoredCandle"
import type { SqlClient } from "effect/sql/SqlClient"
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

/** Prices as sqrt prices (Q64.64). */
export interface CandleRow {
  readonly start: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly baseVolume: string
  readonly quoteVolume: string
  readonly trades: string
}

/** Prices as squares of sqrt prices times the price of the quote token in US dollars ({@link USD_SCALE}). */
export interface UsdCandleRow extends CandleRow {
  /** In smallest units of the quote token, times the same. */
  readonly volumeUsd: string
}

/**
 * As many stored candles as `limit` can be merged from: the oldest may be cut short only when there is one more than `limit` of
 * them.
 */
const storedCandles = (sql: SqlClient, baseMint: string, { from, interval, limit, to }: CandleRange) => {
  const { seconds, storedSeconds } = CANDLE_LENGTHS[interval]
  const conditions = [sql`base_mint = ${baseMint}`, sql`seconds = ${storedSeconds}::integer`]
  if (from !== undefined) conditions.push(sql`bucket >= ${aligned(from, seconds, Math.floor)}`)
  if (to !== undefined) conditions.push(sql`bucket < ${aligned(to, seconds, Math.ceil)}`)
  return sql`
    select bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades
    from candles where ${sql.and(conditions)}
    order by bucket desc limit ${limit * (seconds / storedSeconds)}`
}

const startOf = (sql: SqlClient, { interval }: CandleRange) =>
  sql`date_bin(make_interval(secs => ${CANDLE_LENGTHS[interval].seconds}::integer), bucket, 'epoch'::timestamptz)`

/** Newest first. */
export const candleRows = (sql: SqlClient, baseMint: string, range: CandleRange) => sql<CandleRow>`
  select ${startOf(sql, range)} as start,
    (array_agg(open order by first_ordinal))[1] as open, max(high) as high, min(low) as low,
    (array_agg(close order by last_ordinal desc))[1] as close,
    sum(base_volume) as base_volume, sum(quote_volume) as quote_volume, sum(trades) as trades
  from (${storedCandles(sql, baseMint, range)}) stored
  group by start order by start desc limit ${range.limit}`

/** Newest first. Each stored candle is converted at its own price; one with a part whose price is not known is left out. */
export const usdCandleRows = (
  sql: SqlClient,
  baseMint: string,
  quoteMint: string,
  range: CandleRange,
) => sql<UsdCandleRow>`
  select * from (
    select ${startOf(sql, range)} as start,
      (array_agg(open * open * usd order by first_ordinal))[1] as open, max(high * high * usd) as high, min(low * low * usd) as low,
      (array_agg(close * close * usd order by last_ordinal desc))[1] as close,
      sum(base_volume) as base_volume, sum(quote_volume) as quote_volume, sum(trades) as trades,
      sum(quote_volume * usd) as volume_usd, bool_and(usd is not null) as is_known
    from (
      select c.*, q.usd from (${storedCandles(sql, baseMint, range)}) c
      left join lateral (${quotePriceInCandle(sql, quoteMint, CANDLE_LENGTHS[range.interval].storedSeconds)}) q on true
    ) priced
    group by start order by start desc limit ${range.limit}
  ) merged
  where is_known order by start desc`

/** The start of the candle of this length next to a time. */
const aligned = (time: Date, seconds: number, round: (value: number) => number): Date => {
  const millis = seconds * MILLIS_PER_SECOND
  return new Date(round(time.getTime() / millis) * millis)
}
