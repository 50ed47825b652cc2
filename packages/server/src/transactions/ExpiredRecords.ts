import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { isSignature } from "@launch-registry/domain/solana/SignatureText"
import { Effect, Result } from "effect"
import type { Seen } from "./ChainStatuses.ts"
import { NO_SIGNATURE, PAST_AGE, pastHeight } from "./StatusReason.ts"
import type { Expired, UnsettledRecord } from "./UnsettledRecords.ts"
import { isUnknown, lookUpOnEveryEndpoint, type LandingWindow } from "./SignatureStatuses.ts"

/** Far more than 150 blocks at any pace: only a durable nonce lets a transaction land later than this. */
const AGE_MILLIS = 3_600_000
/** A lastValidBlockHeight this far ahead cannot come from a blockhash of an hour ago. */
const HEIGHTS_AHEAD = 1_000n

interface Due extends Expired {
  readonly window: LandingWindow
}

/**
 * Finds expired records: the finalized chain is past their last valid block height, and no available endpoint knows
 * them. Age alone never expires a record with a signature that can be looked up. Launches and cross-chain swaps do not
 * expire.
 */
export const expiredRecords = (rpc: Rpc["Service"]) => {
  const isAged = ({ createdAt }: UnsettledRecord, millis: number) => millis - createdAt.getTime() >= AGE_MILLIS

  /** Old records whose hash is not a signature: no chain can confirm them, whatever was reported. */
  const unsigned = (records: ReadonlyArray<UnsettledRecord>, millis: number): ReadonlyArray<Expired> =>
    records
      .filter(({ action, txHash }) => action !== "DEPLOY" && !isSignature(txHash))
      .filter((record) => isAged(record, millis))
      .map((record) => ({ record, reason: NO_SIGNATURE }))

  const dueAt = (record: UnsettledRecord, height: bigint, millis: number): Due | undefined => {
    const recordedMillis = record.createdAt.getTime()
    const aged = isAged(record, millis)
    const sent = record.lastValidBlockHeight === null ? undefined : BigInt(record.lastValidBlockHeight)
    if (sent !== undefined && sent < height)
      return {
        record,
        reason: pastHeight(sent, height),
        window: { lastValidBlockHeight: sent, recordedMillis, isAged: aged },
      }
    if (!aged || (sent !== undefined && sent <= height + HEIGHTS_AHEAD)) return undefined
    return { record, reason: PAST_AGE, window: { lastValidBlockHeight: undefined, recordedMillis, isAged: true } }
  }

  /** Expired records among these, and the statuses found for the others. */
  const among = Effect.fnUntraced(function* (records: ReadonlyArray<UnsettledRecord>, millis: number) {
    const known: Array<Seen> = []
    const unknown: Array<Expired> = []
    const candidates = records.filter(
      (record) => record.action !== "DEPLOY" && (record.lastValidBlockHeight !== null || isAged(record, millis)),
    )
    if (candidates.length === 0) return { known, unknown }
    const { absoluteSlot, blockHeight } = yield* rpc.call((kit) => kit.getEpochInfo({ commitment: "finalized" }))
    // While the chain is halted no record ages: its transaction may land afterwards.
    const chainMillis = candidates.some((record) => isAged(record, millis))
      ? Number((yield* rpc.call((kit) => kit.getBlockTime(absoluteSlot))) ?? 0) * 1_000
      : 0
    const due = candidates.flatMap((record) => dueAt(record, blockHeight, Math.min(millis, chainMillis)) ?? [])
    if (due.length === 0) return { known, unknown }
    const signatures = [...new Set(due.map(({ record }) => record.txHash))]
    const answers = yield* lookUpOnEveryEndpoint(rpc, signatures)
    for (const { result } of answers)
      if (Result.isSuccess(result))
        for (const [index, signature] of signatures.entries()) {
          const status = result.success.statuses[index]
          if (status != null) known.push([signature, status])
        }
    for (const { reason, record, window } of due)
      if (isUnknown(answers, signatures.indexOf(record.txHash), window, absoluteSlot)) unknown.push({ record, reason })
    return { known, unknown }
  })

  return { unsigned, among }
}
