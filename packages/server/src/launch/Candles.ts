import { priceInQuote } from "@launch-registry/chain/launch/CurveMath"
import type { Candle, CandleInterval } from "@launch-registry/domain/launch/Candle"
import type { ChainUnavailable, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import { CANDLE_LENGTHS } from "@launch-registry/domain/launch/StoredCandle"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PriceUnits } from "./PriceUnits.ts"

const MILLIS_PER_SECOND = 1_000

/** Which candles: the newest `limit` that start before `to`, none before the one that holds `from`. */
export interface CandleRange {
  readonly interval: CandleInterval
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly limit: number
}

/** Prices as sqrt prices (Q64.64). */
interface CandleRow {
  readonly start: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly baseVolume: string
  readonly quoteVolume: string
  readonly trades: string
}

/** Candles of a pool, merged from those that the indexer stores. */
export class Candles extends Context.Service<
  Candles,
  {
    /** Oldest first. */
    readonly list: (
      baseMint: string,
      range: CandleRange,
    ) => Effect.Effect<ReadonlyArray<Candle>, PoolNotFound | ChainUnavailable>
  }
>()("@launch-registry/server/launch/Candles") {
  static readonly layer = Layer.effect(
    Candles,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const units = yield* PriceUnits

      // As many stored candles as `limit` can be merged from: the oldest may be cut short only when there is one more
      // than `limit` of them.
      const select = (baseMint: string, { from, interval, limit, to }: CandleRange) => {
        const { seconds, storedSeconds } = CANDLE_LENGTHS[interval]
        const conditions = [sql`base_mint = ${baseMint}`, sql`seconds = ${storedSeconds}::integer`]
        if (from !== undefined) conditions.push(sql`bucket >= ${aligned(from, seconds, Math.floor)}`)
        if (to !== undefined) conditions.push(sql`bucket < ${aligned(to, seconds, Math.ceil)}`)
        return sql<CandleRow>`
          select date_bin(make_interval(secs => ${seconds}::integer), bucket, 'epoch'::timestamptz) as start,
            (array_agg(open order by first_ordinal))[1] as open, max(high) as high, min(low) as low,
            (array_agg(close order by last_ordinal desc))[1] as close,
            sum(base_volume) as base_volume, sum(quote_volume) as quote_volume, sum(trades) as trades
          from (
            select bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades
            from candles where ${sql.and(conditions)}
            order by bucket desc limit ${limit * (seconds / storedSeconds)}
          ) stored
          group by start order by start desc limit ${limit}`
      }

      const list = Effect.fn("Candles.list")(function* (baseMint: string, range: CandleRange) {
        const rows = yield* Effect.orDie(select(baseMint, range))
        if (rows.length === 0) {
          yield* units.requirePool(baseMint)
          return []
        }
        const { baseDecimals, quoteDecimals } = yield* units.find(baseMint)
        const price = (sqrtPrice: string) => priceInQuote(BigInt(sqrtPrice), baseDecimals, quoteDecimals)
        return rows.toReversed().map((row) => ({
          time: row.start.toISOString(),
          open: price(row.open),
          high: price(row.high),
          low: price(row.low),
          close: price(row.close),
          baseVolume: row.baseVolume,
          quoteVolume: row.quoteVolume,
          trades: Number(row.trades),
        }))
      })

      return Candles.of({ list })
    }),
  )
}

/** The start of the candle of this length next to a time. */
const aligned = (time: Date, seconds: number, round: (value: number) => number): Date => {
  const millis = seconds * MILLIS_PER_SECOND
  return new Date(round(time.getTime() / millis) * millis)
}
