import { BLOCKHASH_BLOCKS } from "@launch-registry/chain/rpc/ChainHead"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { Blockhash } from "@solana/kit"
import { Effect, Result } from "effect"
import { isUnknown, lookUpOnEveryEndpoint } from "../transactions/SignatureStatuses.ts"
import { bestSighting, type Sighting } from "./Sighting.ts"
import { sightingOf } from "./SubmissionLooks.ts"
import type { ClaimedSubmission } from "./SubmissionQueue.ts"

/** Blockhashes that are asked for at a time. */
const ASKED_AT_ONCE = 4

/** What became of a submission past its last valid block height. */
export type Ending =
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Landed"; readonly sighting: Sighting }
  /** Its blockhash is valid all the same: the height that the caller sent was too low. */
  | { readonly _tag: "StillValid"; readonly lastValidBlockHeight: bigint }

/**
 * How submissions that no endpoint knew ended, by signature; what is missing is in doubt and stays pending. One has expired when
 * the finalized chain is past its height and takes its blockhash no more, and every endpoint says over its ledger that it never
 * landed.
 */
export const endingsOf = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  candidates: ReadonlyArray<ClaimedSubmission & { readonly lastValidBlockHeight: bigint }>,
) {
  const endings = new Map<string, Ending>()
  const { absoluteSlot, blockHeight } = yield* rpc.call((kit) => kit.getEpochInfo({ commitment: "finalized" }))
  const due = candidates.filter(({ lastValidBlockHeight }) => lastValidBlockHeight < blockHeight)
  if (due.length === 0) return endings
  const answers = yield* lookUpOnEveryEndpoint(
    rpc,
    due.map(({ signature }) => signature),
  )
  const unknown: Array<(typeof due)[number]> = []
  for (const [index, submission] of due.entries()) {
    const found = answers.flatMap(({ result }) =>
      Result.isSuccess(result) ? (result.success.statuses[index] ?? []) : [],
    )
    const sighting = bestSighting(found.map(sightingOf))
    const { createdAt, lastValidBlockHeight, signature } = submission
    const window = { lastValidBlockHeight, recordedMillis: createdAt.getTime(), isAged: false }
    if (sighting !== undefined) endings.set(signature, { _tag: "Landed", sighting })
    else if (isUnknown(answers, index, window, absoluteSlot)) unknown.push(submission)
  }
  // A node that is behind this slot might not have seen the end of the blockhash.
  const isValid = (blockhash: string) =>
    Effect.map(
      rpc.call((kit) =>
        kit.isBlockhashValid(blockhash as Blockhash, { commitment: "finalized", minContextSlot: absoluteSlot }),
      ),
      ({ value }) => [blockhash, value] as const,
    )
  const blockhashes = [...new Set(unknown.map(({ blockhash }) => blockhash))]
  const validity = new Map(
    (yield* Effect.forEach(blockhashes, (blockhash) => Effect.result(isValid(blockhash)), {
      concurrency: ASKED_AT_ONCE,
    })).flatMap((result) => (Result.isSuccess(result) ? [result.success] : [])),
  )
  for (const { blockhash, signature } of unknown) {
    const isStillValid = validity.get(blockhash)
    if (isStillValid === undefined) continue
    endings.set(
      signature,
      isStillValid ? { _tag: "StillValid", lastValidBlockHeight: blockHeight + BLOCKHASH_BLOCKS } : { _tag: "Expired" },
    )
  }
  return endings
})
