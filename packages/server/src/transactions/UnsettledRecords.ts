import type { TransactionStatus } from "@launch-registry/domain/transactions/Transaction"
import type { SqlClient } from "effect/sql/SqlClient"

/** A record that the chain has not answered for: pending, or ended as a client reported. */
export interface UnsettledRecord {
  readonly id: string
  readonly action: "BUY" | "SELL" | "DEPLOY"
  readonly status: TransactionStatus
  readonly txHash: string
  readonly lastValidBlockHeight: string | null
  readonly createdAt: Date
}

/** A record whose transaction can no longer land, with the status reason. */
export interface Expired {
  readonly record: UnsettledRecord
  readonly reason: string
}

/** Unsettled records on Solana. Records of cross-chain swaps are updated by the bridge. */
export const unsettledRecords = (sql: SqlClient) => ({
  /** The newest records before `below`, by a partial index. */
  page: (below: UnsettledRecord | undefined, limit: number) => sql<UnsettledRecord>`
    select id, action, status, tx_hash, last_valid_block_height, created_at from transactions
    where (status = 'pending' or is_reported) and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null
      ${below === undefined ? sql`` : sql`and (created_at, id) < (${below.createdAt}, ${below.id}::uuid)`}
    order by created_at desc, id desc limit ${limit}`,

  /**
   * Fails expired records, unless they changed in the meantime. A failure that a client reported stays as it is. A trade
   * that is indexed later still wins: it settles records in any status.
   */
  expire: (expired: ReadonlyArray<Expired>, now: Date) => sql`
    update transactions t set status = 'failed', is_reported = false,
      status_reason = case t.status when 'failed' then t.status_reason else e.reason end,
      updated_at = case t.status when 'failed' then t.updated_at else ${now} end
    from unnest(
      ${expired.map(({ record }) => record.id)}::uuid[], ${expired.map(({ record }) => record.txHash)}::text[],
      ${expired.map(({ record }) => record.status)}::text[], ${expired.map(({ reason }) => reason)}::text[]
    ) as e(id, tx_hash, status, reason)
    where t.id = e.id and t.tx_hash = e.tx_hash and t.status = e.status and (t.status = 'pending' or t.is_reported)
      and t.action in ('BUY', 'SELL') and t.deleted_at is null`,
})
