import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A time range as in queries: `from` is included, `to` is not. */
export interface TimeRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Ordinals that a time range lies within: `first` is included, `beyond` is not. */
export interface OrdinalRange {
  readonly first: bigint | undefined
  readonly beyond: bigint | undefined
}

/** A later trade may have a time that is some seconds earlier. */
export const TRADE_DISORDER_MILLIS = 10_000

/** Events are of other transactions than trades: one next to a trade may be this much later, or earlier. */
const DISORDER_MILLIS = 60_000

/**
 * The first ordinal that has no row before this time below it, found by halving: times follow ordinals, and these tables have no index that is
 * in the order of both.
 */
export const ordinalAt = (sql: SqlClient, source: "trades" | "dbc_events", time: Date) => {
  const rows = sql.literal(source)
  return Effect.map(
    sql<{ readonly low: bigint }>`
      with recursive search (low, high) as (
        select 0::bigint, (select ordinal + 1 from ${rows} order by ordinal desc limit 1)
        union all
        select case when is_before then middle + 1 else low end, case when is_before then high else middle end
        from search
        cross join lateral (select low + (high - low) / 2 as middle) halves
        cross join lateral (
          select coalesce(
            (select block_time < ${time} from ${rows} where ordinal >= middle order by ordinal limit 1), false
          ) as is_before
        ) found
        where low < high
      )
      select low from search where low = high`,
    ([row]) => row?.low,
  )
}

/**
 * Conditions of a time range on trades `t`: on the ordinals, and on the trades at its ends. The planner must not see these, or it would use the
 * index of times, or expect hardly any row.
 */
export const withinTimes = Effect.fnUntraced(function* (sql: SqlClient, { from, to }: TimeRange) {
  const within: Array<Fragment> = []
  if (from !== undefined) {
    const time = startInstant(from)
    const first = yield* ordinalAt(sql, "trades", new Date(time.getTime() - TRADE_DISORDER_MILLIS))
    if (first !== undefined) within.push(sql`t.ordinal >= ${first}`)
    within.push(sql`coalesce(t.block_time >= ${time}, false)`)
  }
  if (to !== undefined) {
    const time = startInstant(to)
    const beyond = yield* ordinalAt(sql, "trades", new Date(time.getTime() + TRADE_DISORDER_MILLIS))
    if (beyond !== undefined) within.push(sql`t.ordinal < ${beyond}`)
    within.push(sql`coalesce(t.block_time < ${time}, false)`)
  }
  return within
})

/**
 * Bounds of the ordinals of trades in a time range, for a history that cannot be searched by time: by the events of launches, which PostgreSQL
 * keeps for ever.
 */
export const ordinalsWithin = Effect.fnUntraced(function* (sql: SqlClient, { from, to }: TimeRange) {
  const moved = (time: string, millis: number) => new Date(startInstant(time).getTime() + millis)
  const first = from === undefined ? undefined : yield* ordinalAt(sql, "dbc_events", moved(from, -DISORDER_MILLIS))
  const above = to === undefined ? undefined : yield* ordinalAt(sql, "dbc_events", moved(to, DISORDER_MILLIS))
  if (above === undefined) return { first, beyond: undefined } satisfies OrdinalRange
  // Trades between the last event before the time and this one may be before it.
  const [next] = yield* sql<{ readonly ordinal: bigint }>`
    select ordinal from dbc_events where ordinal >= ${above} order by ordinal limit 1`
  return { first, beyond: next?.ordinal } satisfies OrdinalRange
})
