import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** An instant in SQL, and those so many milliseconds after it. */
export interface SharedMoment {
  readonly now: Fragment
  readonly after: (millis: number) => Fragment
}

const Source = Context.Reference<"database" | "process">("@launch-registry/postgres/SharedClock", {
  defaultValue: () => "database",
})

/** Tests move the clock of the process. */
export const ofProcess = Layer.succeed(Source, "process")

/**
 * The clock for leases, due times and rates that processes share: the database's, so that a process whose own clock is wrong
 * delays nobody.
 */
export const sharedClock = Effect.gen(function* () {
  const sql = yield* SqlClient
  const momentOf = (now: Fragment): SharedMoment => ({
    now,
    after: (millis) => sql`(${now} + interval '1 millisecond' * ${millis}::float8)`,
  })
  return (yield* Source) === "database"
    ? Effect.succeed(momentOf(sql`now()`))
    : Effect.map(Clock.currentTimeMillis, (millis) => momentOf(sql`${new Date(millis)}::timestamptz`))
})
