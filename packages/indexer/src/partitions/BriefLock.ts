import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/**
 * New readers queue behind a change of tables while it waits for those in flight. To let out a reader that holds one table and waits for
 * another, it gives up before PostgreSQL's deadlock check (after a second) and retries.
 */
const LOCK_TIMEOUT = "300ms"
const TRIES = 200
const PAUSE_MILLIS = 100

/** Within a transaction, where the rest of it waits no longer for locks. */
export const waitBriefly = (sql: SqlClient) => sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`

/** Does `work` while a partitioned table is locked against readers and writers; it takes the locks of partitions itself. Within a transaction. */
export const whileLocked = <A, E>(sql: SqlClient, table: Fragment, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const [before] = yield* sql<{ readonly timeout: string }>`select current_setting('lock_timeout') as timeout`
    yield* waitBriefly(sql)
    yield* sql`lock table only ${table} in access exclusive mode`
    const result = yield* work
    yield* sql`select set_config('lock_timeout', ${before!.timeout}, true)`
    return result
  })

/** For what can as well be done a minute later: whoever holds a lock for long, such as a dump, is not to make readers wait again and again. */
export const NOT_URGENT = { pauseMillis: 1_000, tries: 4 } as const

const isLocked = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** Retries a transaction that did not get a lock in time; with pauses, in which readers get on. */
export const untilUnlocked = <A, E, R>(
  transaction: Effect.Effect<A, E, R>,
  { pauseMillis = PAUSE_MILLIS, tries = TRIES } = {},
): Effect.Effect<A, E, R> =>
  Effect.retry(transaction, { times: tries, schedule: Schedule.spaced(pauseMillis), while: isLocked })
