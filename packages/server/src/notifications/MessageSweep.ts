import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isOfWallet } from "./EndpointOwner.ts"
import { keptMaxOf, type NotificationOptions, shareOfWallets } from "./NotificationOptions.ts"

const MILLIS_OF_DAY = 24 * 3_600_000
const KEEP_DAYS = 7

interface SweptEndpoint {
  readonly id: string
  readonly isDeleted: boolean
  readonly oldestAt: Date | null
  readonly oldestId: string | null
}

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
    const before = new Date((yield* Clock.currentTimeMillis) - (options.keepDays ?? KEEP_DAYS) * MILLIS_OF_DAY)
    return yield* deleteAll(batch, sql`state <> 'pending' and settled_at < ${before} order by settled_at`)
  })

  /** Deleted endpoints with their messages, and messages that are no longer kept; returns how many messages. */
  return Effect.fnUntraced(function* (batch: number) {
    let deleted = yield* sweepOld(batch)
    const [wallets] = yield* sql<{ readonly count: bigint }>`
      select count(*) as count from notification_endpoints e where ${isWallet} and e.state <> 'deleted'`
    const all = keptMaxOf(options)
    const share = shareOfWallets(options, all, Number(wallets!.count))
    const keptMax = sql`case when ${isWallet} then ${share}::bigint else ${all}::bigint end`
    // Each with the oldest of its newest messages that are kept, if it has as many.
    const endpoints = yield* sql<SweptEndpoint>`
      select e.id, e.state = 'deleted' as is_deleted, o.created_at as oldest_at, o.id as oldest_id
      from notification_endpoints e left join lateral (
        select m.id, m.created_at from notification_messages m where m.endpoint_id = e.id
        order by m.created_at desc, m.id desc offset ${keptMax} - 1 limit 1) o on true
      where e.state = 'deleted' or o.id is not null`
    for (const { id, isDeleted, oldestAt, oldestId } of endpoints) {
      const isOf = sql`endpoint_id = ${id}::uuid`
      const isBeyond = sql`state <> 'pending' and (created_at, id) < (${oldestAt}, ${oldestId}::uuid)`
      deleted += yield* deleteAll(batch, isDeleted ? isOf : sql`${isOf} and ${isBeyond} order by created_at, id`)
    }
    // Not while another process still deletes its messages: the cascade finds none.
    yield* sql`
      delete from notification_endpoints where id = any (array(
        select id from notification_endpoints e where state = 'deleted'
          and not exists (select from notification_messages m where m.endpoint_id = e.id)
        order by id for update skip locked))`
    return deleted
  })
})
