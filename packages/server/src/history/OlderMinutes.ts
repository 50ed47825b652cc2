import { CANDLE_LENGTHS, HOUR, MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { alignedRange, type CandleRange } from "./CandleRows.ts"
import type { History } from "./History.ts"

/** What an hour of trades may hold less of than expected makes the next read reach so many times further. */
const FURTHER = 4
const MILLIS_PER_SECOND = 1_000

/** An hour candle of PostgreSQL: where the trades of its minutes are. */
interface TradedHour {
  readonly bucket: Date
  readonly firstOrdinal: bigint
  readonly lastOrdinal: bigint
  readonly trades: bigint
}

/** A candle of a minute, or of the interval if that is shorter, as it is derived from trades; prices as sqrt prices (Q64.64). */
interface DerivedMinute {
  /** Start, in seconds since 1970. */
  readonly bucket: number
  readonly first_ordinal: string
  readonly last_ordinal: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly base_volume: string
  readonly quote_volume: string
  readonly trades: string
}

const MINUTES = `
  select intDiv(toUnixTimestamp(block_time), {length:Int64}) * {length:Int64} as bucket, min(ordinal) as first_ordinal, max(ordinal) as last_ordinal,
    argMin(next_sqrt_price, (ordinal, signature)) as open, max(next_sqrt_price) as high, min(next_sqrt_price) as low,
    argMax(next_sqrt_price, (ordinal, signature)) as close,
    toString(sum(toUInt128(base_amount))) as base_volume, toString(sum(toUInt128(quote_amount))) as quote_volume,
    count() as trades
  from trades final
  where base_mint = {mint:String} and ordinal >= {first:UInt64} and ordinal <= {last:UInt64}
    and block_time >= toDateTime({from:Int64}, 'UTC') and block_time < toDateTime({to:Int64}, 'UTC')
  group by bucket order by bucket desc`

const secondsOf = (time: Date): number => time.getTime() / MILLIS_PER_SECOND

/** Hours of a range before a time in which a mint was traded, newest first. Each has a candle of the interval, but for the first, which may end after the range. */
export const tradedHours = (sql: SqlClient, baseMint: string, range: CandleRange, before: Date) => {
  const { beyond, first } = alignedRange(range)
  const conditions = [
    sql`base_mint = ${baseMint}`,
    sql`seconds = ${HOUR}::integer`,
    sql`bucket < ${beyond !== undefined && beyond < before ? beyond : before}`,
  ]
  if (first !== undefined) conditions.push(sql`bucket + interval '1 hour' > ${first}`)
  return sql<TradedHour>`
    select bucket, first_ordinal, last_ordinal, trades from candles where ${sql.and(conditions)}
    order by bucket desc limit ${range.limit + 1}`
}

/**
 * The newest minutes of these hours, as many as `range.limit` candles can be merged from, derived in history from its trades. Of the hours the newest
 * are read first, as few as can be enough.
 */
export const olderMinutes = Effect.fnUntraced(function* (
  history: History["Service"],
  baseMint: string,
  hours: ReadonlyArray<TradedHour>,
  range: CandleRange,
) {
  const { seconds } = CANDLE_LENGTHS[range.interval]
  const length = Math.min(seconds, MINUTE)
  const { beyond, first } = alignedRange(range)
  for (let reach = 1; ; reach *= FURTHER) {
    let expected = 0
    const rest = hours.findIndex(({ trades }) => {
      const isEnough = expected >= range.limit * reach
      expected += Math.min(HOUR / seconds, Number(trades))
      return isEnough
    })
    const read = rest === -1 ? hours : hours.slice(0, rest)
    const [from, to] = [secondsOf(read.at(-1)!.bucket), secondsOf(read[0]!.bucket) + HOUR]
    const minutes = yield* history.select<DerivedMinute>("candles", MINUTES, {
      length,
      mint: baseMint,
      first: read.map(({ firstOrdinal }) => firstOrdinal).reduce((a, b) => (a < b ? a : b)),
      last: read.map(({ lastOrdinal }) => lastOrdinal).reduce((a, b) => (a > b ? a : b)),
      from: first === undefined ? from : Math.max(from, secondsOf(first)),
      to: beyond === undefined ? to : Math.min(to, secondsOf(beyond)),
    })
    const candles = new Set(minutes.map(({ bucket }) => Math.floor(bucket / seconds)))
    if (rest === -1 || candles.size >= range.limit) return minutes.slice(0, range.limit * (seconds / length))
  }
})

/** These minutes as rows like those of `candles`. */
export const derivedCandles = (sql: SqlClient, minutes: ReadonlyArray<DerivedMinute>): Fragment => {
  const column = (name: keyof DerivedMinute) => minutes.map((minute) => String(minute[name]))
  const numbers = (name: keyof DerivedMinute) => sql`${column(name)}::text[]::numeric[]`
  return sql`
    select to_timestamp(bucket) as bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades
    from unnest(
      ${column("bucket")}::text[]::bigint[], ${column("first_ordinal")}::text[]::bigint[], ${column("last_ordinal")}::text[]::bigint[],
      ${numbers("open")}, ${numbers("high")}, ${numbers("low")}, ${numbers("close")}, ${numbers("base_volume")},
      ${numbers("quote_volume")}, ${column("trades")}::text[]::bigint[]
    ) as given (bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades)`
}
