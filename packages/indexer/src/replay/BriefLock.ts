import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"

/**
 * New readers queue behind a change of tables while it waits for those in flight. To let out a reader that holds one table and waits for
 * another, it gives up before PostgreSQL's deadlock check (after a second) and retries.
 */
const LOCK_TIMEOUT = "300ms"
const TRIES = 200
const PAUSE_MILLIS = 100

/** Within a transaction, where the rest of it waits no longer for locks. */
export const waitBriefly = (sql: SqlClient) => sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`

const isLocked = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** Retries a transaction that did not get a lock in time; with pauses, in which readers get on. */
export const untilUnlocked = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(transaction, { times: TRIES, schedule: Schedule.spaced(PAUSE_MILLIS), while: isLocked })
