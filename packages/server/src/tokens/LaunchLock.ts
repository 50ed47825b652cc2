import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Key of the advisory lock: "launches" in ASCII. */
const LOCK = 0x6c61756e63686573n

/**
 * Keeps registrations out while launches are applied to the registry, until the transaction ends. Without it a registration
 * that read nothing of a launch could be inserted after the launch had been applied, and never be compared with it.
 */
export const lockLaunches = (sql: SqlClient) => sql`select pg_advisory_xact_lock(${LOCK})`

/**
 * Waits for the registrations under way and lets the next ones in: those read the facts that the transaction has read. For work
 * that takes longer than a registration may wait. A lock taken within a savepoint goes when that is rolled back.
 */
export const awaitRegistrations = (sql: SqlClient) =>
  Effect.andThen(lockLaunches(sql), Effect.fail("released" as const)).pipe(
    sql.withTransaction,
    Effect.catchIf(
      (error) => error === "released",
      () => Effect.void,
    ),
  )

/** The other side: any number of registrations and changes at a time. To be taken before the chain's facts are read. */
export const lockRegistration = (sql: SqlClient) => sql`select pg_advisory_xact_lock_shared(${LOCK})`
