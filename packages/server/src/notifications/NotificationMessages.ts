import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { EndpointDisabled } from "@launch-registry/domain/notifications/NotificationErrors"
import {
  NotificationMessage,
  type NotificationMessageRecord,
} from "@launch-registry/domain/notifications/NotificationMessage"
import type { MessageFilter } from "@launch-registry/domain/notifications/NotificationsApi"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isOfWallet, isOwn } from "./EndpointOwner.ts"
import { backlogOf, type NotificationOptions } from "./NotificationOptions.ts"
import { bodyOf, storedMessages } from "./StoredMessages.ts"

const REDELIVERED_MAX = 1_000

/** Columns of a message, of table alias `m`. */
export const MESSAGE_COLUMNS = columnsOf("m", Object.keys(NotificationMessage.fields), {
  nextAttemptAt: "case when m.state = 'pending' then m.next_attempt_at end",
})

/** A message as the driver gives it. */
export type MessageRow = RowOf<NotificationMessage>

export const toMessage = picking<NotificationMessage>(NotificationMessage.fields)

export const positionOf = ({ createdAt, id }: MessageRow): Position => ({ createdAt, id })

/** Messages, as owners of endpoints read and redeliver them. Each method acts for the caller of the request. */
export const notificationMessages = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const { add, countPending } = yield* storedMessages
  const columns = sql.literal(MESSAGE_COLUMNS)
  const own = isOwn(sql)
  const isWallet = isOfWallet(sql)

  /** Locks an endpoint of the caller; how many messages it may still get, and what is said when there is no room. */
  const roomOf = Effect.fnUntraced(function* <E>(endpointId: string, missing: E) {
    const [endpoint] = yield* sql<{ readonly state: string; readonly walletEndpoints: bigint | null }>`
      select e.state, case when ${isWallet} then (
        select count(*) from notification_endpoints e where e.state = 'enabled' and ${isWallet}) end as wallet_endpoints
      from notification_endpoints e where e.id = ${endpointId}::uuid and ${yield* own}
      for no key update`
    if (endpoint === undefined) return yield* Effect.fail(missing)
    if (endpoint.state === "disabled") return yield* new EndpointDisabled({ endpoint: endpointId })
    const limit = backlogOf(options, endpoint.walletEndpoints)
    const room = limit - (yield* countPending(endpointId, limit))
    const full = Effect.fail(new LimitReached({ resource: "messages", limit, retryAfterSeconds: 60 }))
    return { room, full }
  })

  const list = Effect.fn("NotificationMessages.list")(function* (
    endpointId: string,
    { state }: MessageFilter,
    { after, limit, offset }: RowRange,
  ) {
    const isAfter =
      after === undefined ? sql`true` : sql`(m.created_at, m.id) < (${after.createdAt}, ${after.id}::uuid)`
    const isIn = state === undefined ? sql`true` : sql`m.state = ${state}`
    return yield* sql<MessageRow>`
      select ${columns} from notification_messages m
      where m.endpoint_id = ${endpointId}::uuid and ${isIn} and ${isAfter}
      order by m.created_at desc, m.id desc limit ${limit} offset ${offset}`.pipe(Effect.orDie)
  })

  const record = Effect.fn("NotificationMessages.record")(function* (id: string) {
    const [row] = yield* sql<MessageRow & Pick<NotificationMessageRecord, "body" | "history">>`
      select ${columns}, m.body, m.history from notification_messages m join notification_endpoints e on e.id = m.endpoint_id
      where m.id = ${id}::uuid and ${yield* own}`.pipe(Effect.orDie)
    if (row === undefined) return yield* new NotFound({ resource: "message", id })
    return { ...toMessage(row), body: row.body, history: row.history }
  })

  /** Queues a test event. */
  const test = Effect.fn("NotificationMessages.test")(function* (endpointId: string) {
    const now = new Date(yield* Clock.currentTimeMillis)
    return yield* Effect.gen(function* () {
      const { full, room } = yield* roomOf(endpointId, new NotFound({ resource: "endpoint", id: endpointId }))
      if (room <= 0) return yield* full
      const [id] = yield* add([{ endpointId, type: "test", body: bodyOf("test", now, { endpointId }) }], now)
      const [row] = yield* sql<MessageRow>`select ${columns} from notification_messages m where m.id = ${id}::uuid`
      return row!
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  /** The message is due now; an attempt in flight no longer counts. */
  const redeliver = Effect.fn("NotificationMessages.redeliver")(function* (id: string) {
    return yield* Effect.gen(function* () {
      const missing = new NotFound({ resource: "message", id })
      const [message] = yield* sql<{ readonly endpointId: string }>`
        select endpoint_id from notification_messages where id = ${id}::uuid`
      if (message === undefined) return yield* missing
      const { full, room } = yield* roomOf(message.endpointId, missing)
      const { now } = yield* moment
      const [row] = yield* sql<MessageRow>`
        update notification_messages m set state = 'pending', attempts = 0, next_attempt_at = ${now}, settled_at = null,
          version = m.version + 1
        where m.id = ${id}::uuid and (m.state = 'pending' or ${room > 0}) returning ${columns}`
      return row ?? (yield* full)
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  /** Failed messages since a time are due now, oldest first. `more`: not all of them. */
  const redeliverFailed = Effect.fn("NotificationMessages.redeliverFailed")(function* (
    endpointId: string,
    since: Date,
  ) {
    return yield* Effect.gen(function* () {
      const { full, room } = yield* roomOf(endpointId, new NotFound({ resource: "endpoint", id: endpointId }))
      if (room <= 0) return yield* full
      const { now } = yield* moment
      const isFailed = sql`endpoint_id = ${endpointId}::uuid and state = 'failed' and created_at >= ${since}`
      const rows = yield* sql`
        update notification_messages set state = 'pending', attempts = 0, next_attempt_at = ${now}, settled_at = null,
          version = version + 1
        where id in (
          select id from notification_messages where ${isFailed}
          order by created_at, id limit ${Math.min(room, REDELIVERED_MAX)}) and state = 'failed'
        returning id`
      const more = yield* sql`select from notification_messages where ${isFailed} limit 1`
      return { redelivered: rows.length, more: more.length > 0 }
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  return { list, record, test, redeliver, redeliverFailed }
})
