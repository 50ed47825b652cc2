import { setTimeout as sleep } from "node:timers/promises"
import { connect } from "@launch-registry/client"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const LOOK_MILLIS = 50

interface SeenEvent {
  readonly id: string
  readonly type: string
}

/** A dApp that follows the stream of a service, from when it is up until the scope closes: all events in order; a reset has the type `reset`. */
export const followedStream = Effect.fnUntraced(function* (url: string) {
  const seen: Array<SeenEvent> = []
  const abort = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort()),
  )
  const isUp = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  yield* Effect.promise(async (signal) => {
    while (!(await isUp())) {
      signal.throwIfAborted()
      await sleep(LOOK_MILLIS)
    }
  })
  const read = async () => {
    for await (const one of connect({ baseUrl: url }).stream.changes({}, { signal: abort.signal }))
      seen.push({ id: "id" in one ? String(one.id) : "", type: one.event })
  }
  read().catch(() => undefined)
  return { seen: seen as ReadonlyArray<SeenEvent> }
})

/** Ids of all changes that a database has of the index, in order. */
export const storedChanges = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly id: string }>`
      select c.id || '-' || (e.place - 1) as id
      from index_changes c, jsonb_array_elements(c.changes::jsonb) with ordinality as e(change, place)
      order by c.id, e.place`,
    (rows) => rows.map(({ id }) => id),
  )
