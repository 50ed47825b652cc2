import { HOUR, LIFE, MINUTE, type StoredCandleSeconds } from "@launch-registry/domain/launch/StoredCandle"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Candle } from "../modules/CandleFold.ts"
import { bigintArray, integerArray, numericArray, textArray } from "../sql/ArrayParameter.ts"

/** A minute in which a token was traded. */
export interface TouchedMinute {
  readonly baseMint: string
  readonly minute: Date
}

/** Merges candles `c` with those of other trades, by ordinal. */
const MERGE = `
  on conflict (base_mint, seconds, bucket) do update set
    open = case when excluded.first_ordinal < c.first_ordinal then excluded.open else c.open end,
    close = case when excluded.last_ordinal > c.last_ordinal then excluded.close else c.close end,
    first_ordinal = least(c.first_ordinal, excluded.first_ordinal),
    last_ordinal = greatest(c.last_ordinal, excluded.last_ordinal),
    high = greatest(c.high, excluded.high),
    low = least(c.low, excluded.low),
    base_volume = c.base_volume + excluded.base_volume,
    quote_volume = c.quote_volume + excluded.quote_volume,
    trades = c.trades + excluded.trades`

/** Merges the candles of new trades into those that are there, by ordinal. */
export const mergeCandles = (sql: SqlClient, candles: ReadonlyArray<Candle>) => {
  const numbers = (of: (candle: Candle) => bigint) => numericArray(candles.map(of))
  return sql`
    insert into candles as c (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close,
      base_volume, quote_volume, trades)
    select base_mint, seconds, to_timestamp(bucket), first_ordinal, last_ordinal, open, high, low, close,
      base_volume, quote_volume, trades
    from unnest(
      ${textArray(candles.map(({ baseMint }) => baseMint))}::text[], ${integerArray(candles.map(({ seconds }) => seconds))}::integer[],
      ${bigintArray(candles.map(({ bucket }) => BigInt(bucket)))}::bigint[], ${bigintArray(candles.map(({ firstOrdinal }) => firstOrdinal))}::bigint[],
      ${bigintArray(candles.map(({ lastOrdinal }) => lastOrdinal))}::bigint[], ${numbers(({ open }) => open)}::numeric[],
      ${numbers(({ high }) => high)}::numeric[], ${numbers(({ low }) => low)}::numeric[],
      ${numbers(({ close }) => close)}::numeric[], ${numbers(({ baseVolume }) => baseVolume)}::numeric[],
      ${numbers(({ quoteVolume }) => quoteVolume)}::numeric[], ${integerArray(candles.map(({ trades }) => trades))}::integer[]
    ) as t(base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume,
      trades)
    ${sql.literal(MERGE)}`
}

/**
 * SQL of `candles`. When trades are reverted, their candles are recomputed: minutes from trades, hours from minutes, the whole life from
 * hours.
 */
export const candleStatements = (sql: SqlClient) => {
  /** Recomputes minutes from the trades between the first and the last of each candle; returns those that are here. */
  const recomputeMinutes = (touched: ReadonlyArray<TouchedMinute>) =>
    Effect.gen(function* () {
      const stale = yield* sql<{
        readonly baseMint: string
        readonly bucket: Date
        readonly firstOrdinal: bigint
        readonly lastOrdinal: bigint
      }>`
        delete from candles c
        using unnest(${touched.map(({ baseMint }) => baseMint)}::text[], ${touched.map(({ minute }) => minute)}::timestamptz[])
          as t(base_mint, minute)
        where c.base_mint = t.base_mint and c.seconds = ${MINUTE}::integer and c.bucket = t.minute
        returning c.base_mint, c.bucket, c.first_ordinal, c.last_ordinal`
      if (stale.length === 0) return []
      yield* sql`
        insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close,
          base_volume, quote_volume, trades)
        select s.base_mint, ${MINUTE}::integer, s.bucket, min(t.ordinal), max(t.ordinal),
          (array_agg(t.next_sqrt_price order by t.ordinal, t.signature))[1], max(t.next_sqrt_price), min(t.next_sqrt_price),
          (array_agg(t.next_sqrt_price order by t.ordinal desc, t.signature desc))[1],
          sum(t.base_amount), sum(t.quote_amount), count(*)
        from unnest(
          ${stale.map(({ baseMint }) => baseMint)}::text[], ${stale.map(({ bucket }) => bucket)}::timestamptz[],
          ${stale.map(({ firstOrdinal }) => firstOrdinal)}::bigint[], ${stale.map(({ lastOrdinal }) => lastOrdinal)}::bigint[]
        ) as s(base_mint, bucket, first_ordinal, last_ordinal)
        join trades t on t.base_mint = s.base_mint and t.ordinal between s.first_ordinal and s.last_ordinal
          and t.block_time >= s.bucket and t.block_time < s.bucket + make_interval(secs => ${MINUTE}::integer)
        group by s.base_mint, s.bucket`
      return stale.map(({ baseMint, bucket }): TouchedMinute => ({ baseMint, minute: bucket }))
    })

  /** Recomputes candles from shorter ones. */
  const recomputeFrom = (
    shorter: StoredCandleSeconds,
    seconds: StoredCandleSeconds,
    mints: ReadonlyArray<string>,
    starts: ReadonlyArray<Date>,
  ) =>
    Effect.gen(function* () {
      const range = sql`unnest(${mints}::text[], ${starts}::timestamptz[]) as s(base_mint, start)`
      yield* sql`
        delete from candles c using ${range}
        where c.base_mint = s.base_mint and c.seconds = ${seconds}::integer and c.bucket = s.start`
      yield* sql`
        insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close,
          base_volume, quote_volume, trades)
        select s.base_mint, ${seconds}::integer, s.start, min(c.first_ordinal), max(c.last_ordinal),
          (array_agg(c.open order by c.first_ordinal))[1], max(c.high), min(c.low),
          (array_agg(c.close order by c.last_ordinal desc))[1], sum(c.base_volume), sum(c.quote_volume), sum(c.trades)
        from ${range}
        join candles c on c.base_mint = s.base_mint and c.seconds = ${shorter}::integer
          and (${seconds}::integer = ${LIFE}::integer or c.bucket >= s.start and c.bucket < s.start + make_interval(secs => ${seconds}::integer))
        group by s.base_mint, s.start`
    })

  const recompute = (reverted: ReadonlyArray<TouchedMinute>) =>
    Effect.gen(function* () {
      const touched = reverted.length === 0 ? [] : yield* recomputeMinutes(reverted)
      // Hours whose minutes have left PostgreSQL stay as they are.
      if (touched.length === 0) return
      const hours = new Map(
        touched.map(({ baseMint, minute }) => {
          const start = new Date(minute.getTime() - (minute.getTime() % (HOUR * 1000)))
          return [`${baseMint} ${start.getTime()}`, { baseMint, start }]
        }),
      )
      const starts = [...hours.values()]
      yield* recomputeFrom(
        MINUTE,
        HOUR,
        starts.map(({ baseMint }) => baseMint),
        starts.map(({ start }) => start),
      )
      const mints = [...new Set(touched.map(({ baseMint }) => baseMint))]
      yield* recomputeFrom(
        HOUR,
        LIFE,
        mints,
        mints.map(() => new Date(0)),
      )
    })

  /** Of minutes, in the columns of `candles`. */
  const longer = (seconds: StoredCandleSeconds, start: Fragment) => sql`
    select base_mint, ${seconds}::integer, ${start} as start, min(first_ordinal), max(last_ordinal),
      (array_agg(open order by first_ordinal))[1], max(high), min(low),
      (array_agg(close order by last_ordinal desc))[1], sum(base_volume), sum(quote_volume), sum(trades)
    from minutes group by base_mint, start`

  /** Derives the candles of the trades from one ordinal up to before another, and merges them into those of other trades. */
  const mergeTradesOf = (first: bigint, beyond: bigint) => sql`
    with minutes as materialized (
      select base_mint, date_bin('1 minute', block_time, to_timestamp(0)) as bucket, min(ordinal) as first_ordinal,
        max(ordinal) as last_ordinal, (array_agg(next_sqrt_price order by ordinal, signature))[1] as open,
        max(next_sqrt_price) as high, min(next_sqrt_price) as low,
        (array_agg(next_sqrt_price order by ordinal desc, signature desc))[1] as close, sum(base_amount) as base_volume,
        sum(quote_amount) as quote_volume, count(*) as trades
      from trades where ordinal >= ${first} and ordinal < ${beyond} group by base_mint, bucket
    )
    insert into candles as c (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close,
      base_volume, quote_volume, trades)
    select base_mint, ${MINUTE}::integer, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume,
      quote_volume, trades from minutes
    union all ${longer(HOUR, sql`date_bin('1 hour', bucket, to_timestamp(0))`)}
    union all ${longer(LIFE, sql`to_timestamp(0)`)}
    ${sql.literal(MERGE)}`

  return { recompute, mergeTradesOf }
}
