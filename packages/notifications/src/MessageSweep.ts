import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isOfWallet } from "./EndpointOwner.ts"
import { keptMaxOf, type NotificationOptions, shareOfWallets } from "./NotificationOptions.ts"

const MILLIS_OF_DAY = 24 * 3_600_000

/** Deletes what is no longer kept, so many rows per statement, to keep locks short. Any number of processes may. */
export const messageSweep = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const isWallet = isOfWallet(sql)

  /** Returns how many messages were deleted. */
  const deleteAll = Effect.fnUntraced(function* (batch: number, due: Fragment) {
    for (let deleted = 0; ;) {
      const rows = yield* sql`
        delete from notification_messages where id = any (array(
          select id from notification_messages where ${due} limit ${batch} for update skip locked)) returning id`
      deleted += rows.length
      if (rows.length < batch) return deleted
    }
  })

  /** Messages that were delivered or failed longer ago than they are kept. */
  const sweepOld = Effect.fnUntraced(function* (batch: number) {
    const before = new Date((yield* Clock.currentTimeMillis) - options.keepDays * MILLIS_OF_DAY)
    return yield* deleteAll(batch, sql`state <> 'pending' and settled_at < ${before} order by settled_at`)
  })

  /** Delivered and failed messages of an endpoint beyond the newest that are kept. */
  const sweepMany = Effect.fnUntraced(function* (batch: number, endpointId: string, keptMax: number) {
    const isOf = sql`endpoint_id = ${endpointId}::uuid`
    const [oldest] = yield* sql<{ readonly id: string; readonly createdAt: Date }>`
      select id, created_at from notification_messages where ${isOf}
      order by created_at desc, id desc offset ${keptMax - 1} limit 1`
    if (oldest === undefined) return 0
    const isBeyond = sql`(created_at, id) < (${oldest.createdAt}, ${oldest.id}::uuid)`
    return yield* deleteAll(batch, sql`${isOf} and state <> 'pending' and ${isBeyond} order by created_at, id`)
  })

  /** Deleted endpoints with their messages, and messages that are no longer kept; returns how many messages. */
  return Effect.fnUntraced(function* (batch: number) {
    let deleted = yield* sweepOld(batch)
    const endpoints = yield* sql<{ readonly id: string; readonly isDeleted: boolean; readonly isWallet: boolean }>`
      select id, state = 'deleted' as is_deleted, ${isWallet} as is_wallet from notification_endpoints e order by id`
    const wallets = endpoints.filter((one) => one.isWallet && !one.isDeleted).length
    const keptMax = keptMaxOf(options)
    for (const { id, isDeleted, isWallet } of endpoints)
      deleted += yield* isDeleted
        ? deleteAll(batch, sql`endpoint_id = ${id}::uuid`)
        : sweepMany(batch, id, isWallet ? shareOfWallets(options, keptMax, wallets) : keptMax)
    // Not while another process still deletes its messages: the cascade finds none.
    yield* sql`
      delete from notification_endpoints where id = any (array(
        select id from notification_endpoints e where state = 'deleted'
          and not exists (select from notification_messages m where m.endpoint_id = e.id)
        order by id for update skip locked))`
    return deleted
  })
})
