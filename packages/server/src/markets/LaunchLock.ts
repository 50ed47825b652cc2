import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Key of the advisory lock: "launches" in ASCII. */
const LOCK = 0x6c61756e63686573n

/**
 * Blocks registrations until the transaction that applies launches ends. Otherwise a registration that read no facts of
 * a launch could be inserted after the launch was applied, and never be compared with it.
 */
export const lockLaunches = (sql: SqlClient) => sql`select pg_advisory_xact_lock(${LOCK})`

/**
 * Waits for registrations in flight, without blocking new ones, which read the same facts as this transaction. For work
 * that takes too long to block registrations. Rolling back a savepoint releases locks taken within it.
 */
export const awaitRegistrations = (sql: SqlClient) =>
  Effect.andThen(lockLaunches(sql), Effect.fail("released" as const)).pipe(
    sql.withTransaction,
    Effect.catchIf(
      (error) => error === "released",
      () => Effect.void,
    ),
  )

/** Shared side of the lock, for registrations and changes. Take it before reading chain facts. */
export const lockRegistration = (sql: SqlClient) => sql`select pg_advisory_xact_lock_shared(${LOCK})`
