import type { SqlClient } from "effect/sql/SqlClient"

/** A pending record that the chain is asked about. */
export interface PendingRecord {
  readonly id: string
  readonly action: "BUY" | "SELL" | "DEPLOY"
  readonly txHash: string
  readonly lastValidBlockHeight: string | null
  readonly createdAt: Date
}

/** Why a record has failed without the chain knowing it. */
export interface Expired {
  readonly record: PendingRecord
  readonly reason: string
}

/** The pending records of Solana. Swaps across chains are left to whoever follows the swap. */
export const pendingRecords = (sql: SqlClient) => ({
  /** The newest of them before `below`, by the index of exactly these. */
  page: (below: PendingRecord | undefined, limit: number) => sql<PendingRecord>`
    select id, action, tx_hash, last_valid_block_height, created_at from transactions
    where status = 'pending' and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null
      ${below === undefined ? sql`` : sql`and (created_at, id) < (${below.createdAt}, ${below.id}::uuid)`}
    order by created_at desc, id desc limit ${limit}`,

  /**
   * What ended otherwise in the meantime, or was given another hash, stays as it is. A trade that the index shows later still
   * wins: it settles records whatever their status.
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
