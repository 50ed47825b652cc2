import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { RequestClient } from "@launch-registry/http/limits/RequestClient"
import { utcDay, WriteCapsOfServer } from "@launch-registry/http/limits/WriteCaps"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * The cap on what a client registers and records in a day: owner of `record_days`. What it wraps is counted in one
 * transaction with it, so that neither replicas nor kill -9 let through more, and after it, because the count locks a
 * row that other requests of the client need. Without a cap, nothing is counted.
 */
export const recordDays = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const { recordsPerDay: limit } = yield* WriteCapsOfServer

  const count = Effect.fnUntraced(function* (client: string, limit: number) {
    const { day, secondsLeft } = utcDay(sql, yield* moment)
    const counted = yield* sql`
      insert into record_days as d (client, day, records) values (${client}, ${day}, 1)
      on conflict (client, day) do update set records = d.records + 1 where d.records < ${limit}::integer
      returning records`
    if (counted.length > 0) return
    const [row] = yield* sql<{ readonly retryAfterSeconds: number }>`select ${secondsLeft} as retry_after_seconds`
    return yield* new LimitReached({ resource: "records_today", limit, ...row! })
  })

  /** Writes a record that counts. */
  const counting = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError | LimitReached, R> =>
    limit === undefined
      ? write
      : Effect.flatMap(RequestClient, (client = "") =>
          sql.withTransaction(Effect.tap(write, () => count(client, limit))),
        )

  /** Deletes days that are over. */
  const forget = Effect.flatMap(moment, (at) => sql`delete from record_days where day < ${utcDay(sql, at).day} - 1`)

  return { counting, forget, isOn: limit !== undefined }
})
