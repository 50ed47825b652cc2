import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { regularly } from "@launch-registry/postgres/Regularly"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { RequestClient } from "./RequestClient.ts"
import { WriteCapsOfServer } from "./WriteCaps.ts"

/** How often the counts of past days are deleted. */
const FORGET_MILLIS = 3_600_000

/**
 * The cap on what a client writes in a UTC day: owner of `write_days`. A write is counted in its transaction, so that neither
 * replicas nor kill -9 let through more, and after it, because the count locks a row that other requests of the client need.
 * Without a cap, nothing is counted.
 */
export const writeDays = Effect.fnUntraced(function* (resource: "records_today" | "uploads_today") {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const { writesPerDay: limit } = yield* WriteCapsOfServer
  const today = Effect.map(moment, ({ now }) => ({ now, day: sql`(${now} at time zone 'utc')::date` }))

  const count = Effect.fnUntraced(function* (limit: number) {
    const client = (yield* RequestClient) ?? ""
    const { day, now } = yield* today
    const counted = yield* sql`
      insert into write_days as d (client, resource, day, writes) values (${client}, ${resource}, ${day}, 1)
      on conflict (client, resource) do update
      set day = excluded.day, writes = case when d.day = excluded.day then d.writes + 1 else 1 end
      where d.day <> excluded.day or d.writes < ${limit}::integer returning writes`
    if (counted.length > 0) return
    const [row] = yield* sql<{ readonly retryAfterSeconds: number }>`
      select ceil(extract(epoch from ((${day} + 1)::timestamp at time zone 'utc') - ${now}))::integer as retry_after_seconds`
    return yield* new LimitReached({ resource, limit, ...row! })
  })

  /** Does a write that counts. */
  const counting = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError | LimitReached, R> =>
    limit === undefined ? write : sql.withTransaction(Effect.tap(write, () => count(limit)))

  const forget = Effect.flatMap(
    today,
    ({ day }) => sql`delete from write_days where resource = ${resource} and day < ${day}`,
  )
  if (limit !== undefined) yield* Effect.forkScoped(regularly("Forgetting past writes", FORGET_MILLIS, forget))
  return { counting }
})
