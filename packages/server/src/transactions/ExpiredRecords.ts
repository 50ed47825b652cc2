import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { isSignature } from "@launch-registry/solana/SignatureText"
import { Effect, Result } from "effect"
import type { Seen } from "./ChainStatuses.ts"
import { NO_SIGNATURE, PAST_AGE, pastHeight } from "./StatusReason.ts"
import type { Expired, Unsettled } from "./Unsettled.ts"
import { isUnknown, testimonies, type Window } from "./Witnesses.ts"

/** A blockhash lives for about a minute; only a durable nonce lets a transaction land later than this. */
const AGE_MILLIS = 3_600_000
/** A block height this far ahead of the chain is none that a blockhash of an hour ago can have had. */
const HEIGHTS_AHEAD = 1_000n

interface Due extends Expired {
  readonly window: Window
}

/**
 * Which pending records have expired: the chain is past what they can land in, and no endpoint in use knows them. Time alone
 * never ends a record whose signature can be asked about. Launches and swaps across chains do not expire.
 */
export const expiredRecords = (rpc: Rpc["Service"]) => {
  const isAged = ({ createdAt }: Unsettled, millis: number) => millis - createdAt.getTime() >= AGE_MILLIS

  /** Those whose hash cannot be asked about. */
  const unreadable = (records: ReadonlyArray<Unsettled>, millis: number): ReadonlyArray<Expired> =>
    records
      .filter((record) => isAged(record, millis) && record.action !== "DEPLOY" && !isSignature(record.txHash))
      .map((record) => ({ record, reason: NO_SIGNATURE }))

  const dueAt = (record: Unsettled, height: bigint, millis: number): Due | undefined => {
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

  /** Those of these records that have expired, and what some endpoint knows of the others. */
  const among = Effect.fnUntraced(function* (records: ReadonlyArray<Unsettled>, millis: number) {
    const known: Array<Seen> = []
    const unknown: Array<Expired> = []
    const candidates = records.filter(
      (record) => record.action !== "DEPLOY" && (record.lastValidBlockHeight !== null || isAged(record, millis)),
    )
    if (candidates.length === 0) return { known, unknown }
    const { absoluteSlot, blockHeight } = yield* rpc.call((kit) => kit.getEpochInfo({ commitment: "finalized" }))
    // While the chain stands still nothing grows old: what waited can land when it goes on.
    const chainMillis = candidates.some((record) => isAged(record, millis))
      ? Number((yield* rpc.call((kit) => kit.getBlockTime(absoluteSlot))) ?? 0) * 1_000
      : 0
    const due = candidates.flatMap((record) => dueAt(record, blockHeight, Math.min(millis, chainMillis)) ?? [])
    if (due.length === 0) return { known, unknown }
    const signatures = [...new Set(due.map(({ record }) => record.txHash))]
    const said = yield* testimonies(rpc, signatures)
    for (const { result } of said)
      if (Result.isSuccess(result))
        for (const [index, signature] of signatures.entries()) {
          const status = result.success.statuses[index]
          if (status != null) known.push([signature, status])
        }
    for (const { reason, record, window } of due)
      if (isUnknown(said, signatures.indexOf(record.txHash), window, absoluteSlot)) unknown.push({ record, reason })
    return { known, unknown }
  })

  return { unreadable, among }
}
