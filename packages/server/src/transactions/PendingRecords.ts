import type { SqlClient } from "effect/sql/SqlClient"

/** A pending record whose status is polled. */
export interface PendingRecord {
  readonly id: string
  readonly action: "BUY" | "SELL" | "DEPLOY"
  readonly txHash: string
  readonly lastValidBlockHeight: string | null
  readonly createdAt: Date
}

/** A record whose transaction can no longer land, with the status reason. */
export interface Expired {
  readonly record: PendingRecord
  readonly reason: string
}

/** Pending records on Solana. Records of cross-chain swaps are updated by the bridge. */
export const pendingRecords = (sql: SqlClient) => ({
  /** The newest records before `below`, by a partial index. */
  page: (below: PendingRecord | undefined, limit: number) => sql<PendingRecord>`
    select id, action, tx_hash, last_valid_block_height, created_at from transactions
    where status = 'pending' and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null
      ${below === undefined ? sql`` : sql`and (created_at, id) < (${below.createdAt}, ${below.id}::uuid)`}
    order by created_at desc, id desc limit ${limit}`,

  /**
   * Fails expired records, unless they changed in the meantime. A trade that is indexed later still wins: it settles
   * records in any status.
   */
  expire: (expired: ReadonlyArray<Expired>, now: Date) => sql`
    update transactions t set status = 'failed', status_reason = e.reason, updated_at = ${now}
    from unnest(
      ${expired.map(({ record }) => record.id)}::uuid[], ${expired.map(({ record }) => record.txHash)}::text[],
      ${expired.map(({ reason }) => reason)}::text[]
    ) as e(id, tx_hash, reason)
    where t.id = e.id and t.tx_hash = e.tx_hash and t.status = 'pending' and t.action in ('BUY', 'SELL')
      and t.deleted_at is null`,
})
