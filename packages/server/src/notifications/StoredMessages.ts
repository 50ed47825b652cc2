import type { NotificationMessage } from "@launch-registry/domain/notifications/NotificationMessage"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const ROWS_PER_STATEMENT = 1_000

/** A message that is due at once. */
export interface NewMessage {
  readonly endpointId: string
  readonly type: NotificationMessage["type"]
  readonly body: string
}

/** The body of a message, as Standard Webhooks recommends it. `at`: when the event happened. */
export const bodyOf = (type: NewMessage["type"], at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data })

/** What changes many messages at once, in the current transaction. */
export const storedMessages = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const ids = new UuidV7()

  /** Adds messages, and returns their ids. Their order is that of their ids. */
  const add = Effect.fnUntraced(function* (messages: ReadonlyArray<NewMessage>, now: Date) {
    const added = messages.map((message) => ({ ...message, id: ids.next(now.getTime()) }))
    const due = (yield* moment).now
    for (let at = 0; at < added.length; at += ROWS_PER_STATEMENT) {
      const rows = added.slice(at, at + ROWS_PER_STATEMENT)
      yield* sql`
        insert into notification_messages
          (id, endpoint_id, type, body, state, attempts, next_attempt_at, version, created_at)
        select id, endpoint_id, type, body, 'pending', 0, ${due}, 0, ${now}
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ endpointId }) => endpointId)}::uuid[],
          ${rows.map(({ type }) => type)}::text[], ${rows.map(({ body }) => body)}::text[]) as d (id, endpoint_id, type, body)`
    }
    return added.map(({ id }) => id)
  })

  /** How many pending messages there are of an endpoint, whose row the caller has locked, up to `limit`. */
  const countPending = (endpointId: string, limit: number) =>
    Effect.map(
      sql<{ readonly count: bigint }>`
        select count(*) as count from (
          select from notification_messages where endpoint_id = ${endpointId}::uuid and state = 'pending' limit ${limit}
        ) pending`,
      ([row]) => Number(row!.count),
    )

  /** Those of a disabled endpoint fail, and can be redelivered once it is enabled. */
  const failPending = (endpointId: string, now: Date) => sql`
    update notification_messages set state = 'failed', settled_at = ${now}
    where endpoint_id = ${endpointId}::uuid and state = 'pending'`

  return { add, countPending, failPending }
})
