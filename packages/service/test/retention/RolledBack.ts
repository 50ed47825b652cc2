import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Runs in a transaction that is rolled back. */
export const rolledBack = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.andThen(work, Effect.fail("undo" as const)).pipe(
      sql.withTransaction,
      Effect.catchIf(
        (error) => error === "undo",
        () => Effect.void,
      ),
    ),
  )
