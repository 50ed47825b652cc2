import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { FAILED_ON_CHAIN, failedOnChain } from "./StatusReason.ts"
import { settleTrades } from "./SettleTrades.ts"
import type { LandedStatus } from "./SignatureStatuses.ts"

/** The status of a signature on chain. */
export type Seen = readonly [signature: string, status: LandedStatus]

/**
 * Applies statuses from the chain to records. They override what clients reported, and expiry; then the record is
 * settled. That a signature has landed does not end the record of a trade: its trade does. Records of cross-chain swaps are left to
 * the bridge: such a swap is not finished with its deposit.
 */
export const chainStatuses = (sql: SqlClient) => {
  const trades = settleTrades(sql)

  const launched = (hashes: ReadonlyArray<string>, now: Date) => sql`
    update transactions set status = 'success', status_reason = null, is_reported = false, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = 'solana' and action = 'DEPLOY'
      and status <> 'success' and deleted_at is null`

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

  /** Settles the records of confirmed transactions, as far as these are indexed; returns those whose trade is not. */
  const settle = Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>, now: Date) {
    const confirmed = seen.filter(([, { confirmationStatus }]) => (confirmationStatus ?? "processed") !== "processed")
    const good = confirmed.filter(([, { err }]) => err === null)
    const bad = confirmed.filter(([, { err }]) => err !== null)
    if (bad.length > 0) yield* failed(bad, now)
    if (good.length === 0) return []
    yield* launched(
      good.map(([hash]) => hash),
      now,
    )
    return yield* trades.landedInIndex(good, now)
  })

  /** Applies changes of the index, in the order of their commits. */
  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    // A transaction can be reverted and indexed again within one batch: its last change counts.
    const last = new Map<string, { readonly type: "trade" | "revert"; readonly slot: string }>()
    for (const change of changes)
      if (change.type === "trade" || change.type === "revert") last.set(change.signature, change)
    const now = new Date(yield* Clock.currentTimeMillis)
    const traded = [...last].flatMap(([hash, { slot, type }]) =>
      type === "trade" ? [[hash, BigInt(slot)] as const] : [],
    )
    const reverted = [...last].flatMap(([hash, { type }]) => (type === "revert" ? [hash] : []))
    if (traded.length > 0) yield* trades.followed(new Map(traded), now)
    if (reverted.length > 0) yield* reopen(reverted, now)
  })

  return { settle, revert, follow }
}
