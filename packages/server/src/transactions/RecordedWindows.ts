import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { regularly } from "@launch-registry/postgres/Regularly"
import { inOneMoment, rollingWindows } from "@launch-registry/postgres/RollingWindows"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { rankPopular } from "../tokens/PopularRanks.ts"

const ROLL_MILLIS = 5_000
/** A replica that comes a little early still takes its turn. */
const DUE_SECONDS = 4

/** Windows never move back. A clock that is this far behind its earlier self was wrong then. */
const CLOCK_BACK_MILLIS = 60_000

/** SQL that counts records, or moves their counts on, within `inOneMoment`. Triggers on `transactions` note in `recorded_changes` what comes and goes. */
export const recordedWindowStatements = (sql: SqlClient) => {
  // The triggers ask the same function; the index of all records has only those that are not deleted.
  const counts = sql.literal("is_settled_trade(transactions) and deleted_at is null")
  // Of a moment in the order of their index: of bounds that it does not know the planner expects a tenth of all records, and would read all.
  const until = (upTo: Fragment) => sql`and created_at <= ${upTo} order by created_at desc, id desc offset 0`
  const { recount, roll } = rollingWindows(sql, {
    ...{ windows: "recorded_windows", traders: "recorded_traders", spans: WINDOW_LENGTHS },
    facts: (after, upTo) => sql`
      select base_token as base_mint, user_address as trader, created_at as at, coalesce(quote_volume, 0) as volume
      from transactions
      where ${counts} and created_at > ${after} ${upTo === undefined ? sql`` : until(upTo)}`,
  })
  const changes = {
    changes: sql`
      noted as (delete from recorded_changes returning *), changes as materialized (
        select sign, base_mint, trader, created_at as at, volume from noted
      )`,
    lastOfLost: sql`
      select l.base_mint, l.trader, newest.created_at as at from lost l cross join lateral (
        select created_at from transactions
        where user_address = l.trader and base_token = l.base_mint and ${counts}
          and created_at > (select later from longest)
        order by created_at desc limit 1
      ) newest`,
  }
  return {
    roll: (from: Date, to: Date) => roll(from, to, changes),
    recount: (to: Date) => Effect.andThen(sql`delete from recorded_changes`, recount(to)),
  }
}

/**
 * Keeps `recorded_windows`: distinct users, records and volume of each token in spans up to now, of BUY and SELL records
 * that the chain has confirmed and that are not deleted. Then ranks tokens by these and by indexed trades. Returns whether it was counted: not if another process does it, or did so less than
 * `dueSeconds` ago.
 */
export const countRecords = Effect.fnUntraced(function* (dueSeconds: number, at?: Date) {
  const sql = yield* SqlClient
  const { recount, roll } = recordedWindowStatements(sql)
  return yield* Effect.gen(function* () {
    const [known] = yield* sql<{ readonly countedAt: Date | null; readonly now: Date }>`
      select counted_at, coalesce(${at ?? null}::timestamptz, now())::timestamptz(3) as now from recorded_progress
      where ${dueSeconds}::integer = 0 or counted_at is null
        or counted_at not between now() - make_interval(secs => ${dueSeconds}::integer) and now()
      for update skip locked`
    if (known === undefined) return false
    const from = known.countedAt
    const millis = known.now.getTime() - (from?.getTime() ?? 0)
    const rolls = from !== null && millis >= -CLOCK_BACK_MILLIS
    const to = rolls && millis < 0 ? from : known.now
    yield* rolls ? roll(from, to) : recount(to)
    yield* sql`update recorded_progress set counted_at = ${to}`
    yield* rankPopular(sql)
    return true
  }).pipe(
    inOneMoment(sql),
    Effect.map((counted) => counted ?? false),
  )
})

/** Counts records for the lifetime of the process; of all processes one at a time. */
export const CountRecordsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context<SqlClient>()
    const count = Effect.provide(countRecords(DUE_SECONDS), context)
    yield* Effect.forkScoped(regularly("Counting records of the last days", ROLL_MILLIS, count))
  }),
)
