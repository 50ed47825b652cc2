import { planned } from "@launch-registry/postgres/KeysetPage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { alignedRange, type CandleRange, type MergeCandles } from "./CandleRows.ts"
import { TRADE_DISORDER_MILLIS, withinTimes } from "./OrdinalsOfTimes.ts"

/** Trades that are read first for each candle; most have fewer. */
const TRADES_PER_CANDLE = 8
/** More than are traded on a pool within 30 seconds: a block takes some hundred swaps that write the same accounts. */
const TRADES_MAX = 20_000

/**
 * Candles of a range, newest first, that are made of the trades in PostgreSQL, each as a candle of its own. `isCut`: of more trades than are read,
 * the older ones are left out.
 */
export const candlesOfTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  baseMint: string,
  range: CandleRange,
  merge: MergeCandles,
) {
  const { beyond, first } = alignedRange(range)
  const within = yield* withinTimes(sql, { from: first?.toISOString(), to: beyond?.toISOString() })
  for (let most = Math.min(TRADES_MAX, range.limit * TRADES_PER_CANDLE); ; most = TRADES_MAX) {
    const rows = yield* planned(
      merge(
        range,
        sql`
          select t.block_time as bucket, t.ordinal as first_ordinal, t.ordinal as last_ordinal, t.next_sqrt_price as open,
            t.next_sqrt_price as high, t.next_sqrt_price as low, t.next_sqrt_price as close, t.base_amount as base_volume,
            t.quote_amount as quote_volume, 1::bigint as trades
          from trades t where ${sql.and([sql`t.base_mint = ${baseMint}`, ...within])}
          order by t.ordinal desc, t.signature desc limit ${most}`,
      ),
    )
    const [row] = rows
    if (row === undefined || row.merged < BigInt(most)) return { rows, isCut: false }
    // Trades that were not read may be some seconds later than the first of those that were.
    const whole = row.mergedFrom.getTime() + TRADE_DISORDER_MILLIS
    const complete = rows.filter(({ start }) => start.getTime() >= whole)
    if (complete.length === range.limit || most === TRADES_MAX) return { rows: complete, isCut: true }
  }
})
