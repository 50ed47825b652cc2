import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sharedClock } from "@launch-registry/postgres/SharedClock"

/** The budget of each client: so many requests in a window that begins with the first of them. */
export interface RateLimit {
  readonly requests: number
  readonly windowMillis: number
}

/** What requests of a client that wait weigh: the lightest, and all together; neither is more than the limit. */
export interface LeaseRequest {
  readonly client: string
  readonly needed: number
  readonly wanted: number
}

/** What they may spend of the client's budget. */
export interface Lease {
  readonly client: string
  /** 0 if less than needed is left. */
  readonly granted: number
  /** What is left in this window for later requests, of any process. */
  readonly left: number
  readonly endsInMillis: number
}

/** Expired rows that are deleted in one statement. */
const SWEPT_AT_ONCE = 5_000

/**
 * Budgets that all processes share: owner of `rate_limit_windows`. Windows are by the database's clock.
 */
export const budgetLeases = Effect.fnUntraced(function* ({ requests, windowMillis }: RateLimit) {
  const sql = yield* SqlClient
  const moment = yield* sharedClock

  /** One statement for all clients, in a fixed order so that two processes cannot deadlock. */
  const lease = Effect.fn("BudgetLeases.lease")(function* (asked: ReadonlyArray<LeaseRequest>) {
    const { after, now } = yield* moment
    const taken = sql`case when w.ends_at <= ${now} then 0 else w.taken end`
    // `excluded` is what was asked for: a row can refer to nothing else of the values it conflicts with.
    const granted = sql`
      case when ${requests}::integer - ${taken} < excluded.needed then 0
        else least(${requests}::integer - ${taken}, excluded.granted) end`
    return yield* sql<Lease>`
      insert into rate_limit_windows as w (client, ends_at, taken, needed, granted)
      select client, ${after(windowMillis)}, wanted, needed, wanted
      from unnest(${asked.map(({ client }) => client)}::text[], ${asked.map(({ needed }) => needed)}::integer[],
        ${asked.map(({ wanted }) => wanted)}::integer[]) as asked (client, needed, wanted)
      order by client
      on conflict (client) do update set
        ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end,
        taken = ${taken} + ${granted}, needed = excluded.needed, granted = ${granted}
      returning client, granted, greatest(${requests}::integer - taken, 0) as left,
        floor(extract(epoch from ends_at - ${now}) * 1000)::integer as ends_in_millis`
  })

  /** Deletes windows that have ended; returns their number. */
  const sweep = Effect.gen(function* () {
    const { now } = yield* moment
    const rows = yield* sql`
      delete from rate_limit_windows where client in (
        select client from rate_limit_windows where ends_at <= ${now} limit ${SWEPT_AT_ONCE} for update skip locked)
      returning client`
    return rows.length
  }).pipe(Effect.repeat({ while: (swept) => swept === SWEPT_AT_ONCE }))

  return { lease, sweep }
})
