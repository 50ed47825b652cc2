import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { sharedClock, type SharedMoment } from "./SharedClock.ts"

/** How long the end of a process waits for a release: the lease expires by itself. */
const RELEASE_MILLIS = 2_000

/** A table that workers claim rows of. */
export interface LeasedTable<Key extends string> {
  readonly table: string
  /** Columns of the primary key with their types, as they are named in rows. */
  readonly key: Readonly<Record<Key, "uuid" | "text">>
  /** Column with the time until which no other process claims the row, a `timestamp(3)`. */
  readonly lease: string
  readonly leaseMillis: number
  /** Column that every claim raises by one, so that a late worker notices that its claim is gone. */
  readonly fence: "version" | "attempts"
}

/** When a claim ends, as it was written. */
interface Leased {
  readonly leasedUntil: Date
}

/**
 * A table as a queue that any number of processes work off. A claim is a lease, not a lock: no transaction is open during the
 * work, and what a process had claimed when it died is claimed again when the lease is over.
 */
export const leasedQueue = Effect.fnUntraced(function* <Key extends string, Fence extends "version" | "attempts">(
  queue: LeasedTable<Key> & { readonly fence: Fence },
) {
  type Claimed = { readonly [K in Key]: unknown } & { readonly [F in Fence]: number }
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const table = sql(queue.table)
  const lease = sql(queue.lease)
  const fence = sql(queue.fence)
  const columns = Object.keys(queue.key) as Array<Key>
  const keyOf = (alias: string) => sql.csv(columns.map((column) => sql`${sql(alias)}.${sql(column)}`))

  /** Claims the rows whose keys `due` selects, with its limit. As a subquery it might run again for every row. */
  const claim = <Row extends object>(due: (moment: SharedMoment) => Fragment, returning: Fragment) =>
    Effect.flatMap(
      moment,
      (at) => sql<Row & Leased>`
        with due as materialized (${due(at)} for update skip locked)
        update ${table} s set ${fence} = s.${fence} + 1, ${lease} = ${at.after(queue.leaseMillis)}
        from due where (${keyOf("s")}) = (${keyOf("due")}) returning ${returning}, s.${lease} as leased_until`,
    )

  /** Whether the claim is the last one of its row. */
  const isHeld = (claimed: Claimed) =>
    sql.and([
      ...columns.map((column) => sql`${sql(column)} = ${claimed[column]}::${sql.literal(queue.key[column])}`),
      sql`${fence} = ${claimed[queue.fence]}`,
    ])

  /** Releases a claim whose lease it still holds: the result of its work was not written. */
  const release = (claimed: Claimed & Leased) =>
    Effect.flatMap(
      moment,
      ({ now }) => sql`
        update ${table} set ${lease} = ${now} where ${isHeld(claimed)} and ${lease} = ${claimed.leasedUntil}`,
    )

  return { moment, claim, isHeld, release }
})

/** A database that does not answer holds it up only briefly. */
const soon = (release: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
  release.pipe(Effect.interruptible, Effect.timeoutOption(RELEASE_MILLIS), Effect.ignoreCause, Effect.asVoid)

/** Gives a claim back when its work is interrupted. After a failure its lease is a pause. */
export const releaseOnInterrupt =
  (release: Effect.Effect<unknown, unknown>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onInterrupt(work, () => soon(release))

/** Gives a claim back when its work fails or is interrupted: for what cannot wait until its lease is over. */
export const releaseOnFailure =
  (release: Effect.Effect<unknown, unknown>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onError(work, () => soon(release))
