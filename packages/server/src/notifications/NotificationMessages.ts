import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { EndpointDisabled } from "@launch-registry/domain/notifications/NotificationErrors"
import type { NotificationMessageRecord } from "@launch-registry/domain/notifications/NotificationMessage"
import type { MessageFilter } from "@launch-registry/domain/notifications/NotificationsApi"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isOfWallet, isOwn } from "./EndpointOwner.ts"
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./MessageRow.ts"
import { bodyOf, newMessages } from "./NewMessages.ts"
import { backlogOf, type NotificationOptions } from "./NotificationOptions.ts"
import { pendingMessages } from "./PendingMessages.ts"

const REDELIVERED_MAX = 1_000

type Refusal = EndpointDisabled | LimitReached

/** Messages, as owners of endpoints read and redeliver them. Each method acts for the caller of the request. */
export class NotificationMessages extends Context.Service<
  NotificationMessages,
  {
    readonly list: (
      endpointId: string,
      filter: MessageFilter,
      range: RowRange,
    ) => Effect.Effect<ReadonlyArray<MessageRow>>
    readonly record: (id: string) => Effect.Effect<NotificationMessageRecord, NotFound>
    /** Queues a test event. */
    readonly test: (endpointId: string) => Effect.Effect<MessageRow, NotFound | Refusal>
    /** The message is due now; an attempt in flight no longer counts. */
    readonly redeliver: (id: string) => Effect.Effect<MessageRow, NotFound | Refusal>
    /** Failed messages since a time are due now, oldest first. `more`: not all of them. */
    readonly redeliverFailed: (
      endpointId: string,
      since: Date,
    ) => Effect.Effect<{ readonly redelivered: number; readonly more: boolean }, NotFound | Refusal>
  }
>()("./NotificationMessages.ts") {
  static readonly layer = (options: NotificationOptions) => Layer.effect(NotificationMessages, make(options))
}

const make = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const add = yield* newMessages
  const pending = pendingMessages(sql)
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
    const [count] = yield* pending.count(endpointId, limit)
    const room = limit - Number(count!.count)
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

  return NotificationMessages.of({ list, record, test, redeliver, redeliverFailed })
})
