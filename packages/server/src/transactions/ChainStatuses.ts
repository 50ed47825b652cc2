import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { FAILED_ON_CHAIN, failedOnChain } from "./StatusReason.ts"
import type { SignatureStatus } from "./SignatureStatuses.ts"

/** The status of a signature on chain. */
export type Seen = readonly [signature: string, status: SignatureStatus]

/**
 * Applies statuses from the chain to records. They override what clients reported, and expiry; then the record is
 * settled. Records of cross-chain swaps are left to the bridge: such a swap is not finished with its deposit.
 */
export const chainStatuses = (sql: SqlClient) => {
  const landed = (hashes: ReadonlyArray<string>, now: Date) => sql`
    update transactions set status = 'success', status_reason = null, is_reported = false,
      updated_at = case status when 'success' then updated_at else ${now} end
    where tx_hash = any(${hashes}::text[]) and chain = 'solana' and action <> 'BRIDGE'
      and (status <> 'success' or is_reported) and deleted_at is null`

  const failed = (seen: ReadonlyArray<Seen>, now: Date) => sql`
    update transactions t set status = 'failed', status_reason = f.reason, is_reported = false, updated_at = ${now}
    from unnest(
      ${seen.map(([hash]) => hash)}::text[], ${seen.map(([, { err }]) => failedOnChain(err))}::text[]
    ) as f(hash, reason)
    where t.tx_hash = f.hash and t.chain = 'solana' and t.action <> 'BRIDGE' and t.deleted_at is null
      and (t.status <> 'failed' or t.status_reason is distinct from f.reason or t.is_reported)`

  /** A reverted transaction is pending again: its status is polled again. */
  const reopen = (hashes: ReadonlyArray<string>, now: Date) => sql`
    update transactions set status = 'pending', status_reason = null, is_reported = false, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = 'solana' and action <> 'BRIDGE' and status = 'success'
      and deleted_at is null`

  /** The same also of transactions that had failed. */
  const revert = (hashes: ReadonlyArray<string>, now: Date) => sql`
    update transactions set status = 'pending', status_reason = null, is_reported = false, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = 'solana' and action <> 'BRIDGE'
      and (status = 'success' or status = 'failed' and starts_with(status_reason, ${FAILED_ON_CHAIN}))
      and deleted_at is null`

  /** Settles the records of confirmed transactions. */
  const settle = Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>, now: Date) {
    const confirmed = seen.filter(([, { confirmationStatus }]) => (confirmationStatus ?? "processed") !== "processed")
    const good = confirmed.flatMap(([hash, { err }]) => (err === null ? [hash] : []))
    const bad = confirmed.filter(([, { err }]) => err !== null)
    if (good.length > 0) yield* landed(good, now)
    if (bad.length > 0) yield* failed(bad, now)
  })

  /** Applies changes of the index, in the order of their commits. */
  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    // A transaction can be reverted and indexed again within one batch: its last change counts.
    const last = new Map<string, "trade" | "revert">()
    for (const change of changes)
      if (change.type === "trade" || change.type === "revert") last.set(change.signature, change.type)
    const whose = (type: "trade" | "revert") => [...last].flatMap(([hash, one]) => (one === type ? [hash] : []))
    const now = new Date(yield* Clock.currentTimeMillis)
    const [traded, reverted] = [whose("trade"), whose("revert")]
    if (traded.length > 0) yield* landed(traded, now)
    if (reverted.length > 0) yield* reopen(reverted, now)
  })

  return { settle, revert, follow }
}
