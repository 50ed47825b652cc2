import { BLOCKHASH_BLOCKS } from "@launch-registry/chain/rpc/ChainHead"
import type { EndpointAnswer, Rpc, RpcCall } from "@launch-registry/chain/rpc/Rpc"
import type { RpcError } from "@launch-registry/chain/rpc/RpcError"
import type { Signature } from "@solana/kit"
import { Effect, Result } from "effect"

/** Without a block height, a transaction is assumed to be at most this much older than its record. */
const OLDER_MILLIS = 3_600_000

/** Status of a transaction that a node knows. */
export interface SignatureStatus {
  readonly err: unknown
  readonly confirmationStatus: string | null
}

/** With the slot that it landed in. */
export interface LandedStatus extends SignatureStatus {
  readonly slot: bigint
}

/** When a transaction could have landed. */
export interface LandingWindow {
  /** Undefined if only its age is known. */
  readonly lastValidBlockHeight: bigint | undefined
  /** When it was recorded. */
  readonly recordedMillis: number
  /** Whether its age alone expires it. */
  readonly isAged: boolean
}

/** The oldest block that a node keeps; with genesis it keeps the whole ledger. */
interface OldestBlock {
  readonly isGenesis: boolean
  readonly height: bigint | null
  readonly timeMillis: number | null
}

/** Statuses from one endpoint, and the ledger range that they are based on. */
interface SignatureLookup {
  readonly statuses: ReadonlyArray<LandedStatus | null>
  /** Slot of the node at the lookup. */
  readonly slot: bigint
  /** Before the lookup; undefined where the endpoint does not say. */
  readonly finalizedSlot: bigint | undefined
  readonly ledger: Result.Result<LedgerRange, RpcError>
}

interface LedgerRange {
  /** Finalized block height before the lookup. */
  readonly finalizedHeight: bigint
  /** Oldest block after the lookup. */
  readonly oldest: OldestBlock
}

export type EndpointAnswers = ReadonlyArray<EndpointAnswer<SignatureLookup>>

const oldestBlock = Effect.fnUntraced(function* (call: RpcCall) {
  const slot = yield* call((kit) => kit.getFirstAvailableBlock())
  if (slot === 0n) return { isGenesis: true, height: 0n, timeMillis: 0 }
  const block = yield* call((kit) => kit.getBlock(slot, { transactionDetails: "none", rewards: false }))
  return {
    isGenesis: false,
    height: block?.blockHeight ?? null,
    timeMillis: block?.blockTime == null ? null : Number(block.blockTime) * 1_000,
  }
})

/** Looks up signatures on every available endpoint, over its whole ledger. */
export const lookUpOnEveryEndpoint = (
  rpc: Rpc["Service"],
  signatures: ReadonlyArray<string>,
): Effect.Effect<EndpointAnswers> =>
  rpc.onEach(
    Effect.fnUntraced(function* (call: RpcCall) {
      // The finalized height is read before and the oldest block after the lookup, so that the range holds during it.
      const finalized = yield* Effect.result(call((kit) => kit.getEpochInfo({ commitment: "finalized" })))
      const { context, value } = yield* call((kit) =>
        kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, { searchTransactionHistory: true }),
      )
      const ledger = yield* Effect.result(
        Effect.gen(function* () {
          const { blockHeight } = yield* Effect.fromResult(finalized)
          return { finalizedHeight: blockHeight, oldest: yield* oldestBlock(call) }
        }),
      )
      const finalizedSlot = Result.isSuccess(finalized) ? finalized.success.absoluteSlot : undefined
      return { statuses: value, slot: value.length === signatures.length ? context.slot : -1n, finalizedSlot, ledger }
    }),
  )

/** An unsupported method is no answer; any other failure may hide a known transaction. */
const isUnsupported = ({ reason }: RpcError): boolean => reason._tag === "NotHere" || reason._tag === "Forbidden"

/** Whether no endpoint has the signature at `index` in a slot that the finalized chain of each, and of one at least, is past. */
export const isNotIn = (answers: EndpointAnswers, index: number, slot: bigint): boolean => {
  let denials = 0
  for (const { result } of answers) {
    if (Result.isFailure(result)) {
      if (isUnsupported(result.failure)) continue
      return false
    }
    const { finalizedSlot, ledger, statuses } = result.success
    if (statuses[index]?.slot === slot) return false
    if (finalizedSlot === undefined && Result.isFailure(ledger) && isUnsupported(ledger.failure)) continue
    if (finalizedSlot === undefined || finalizedSlot < slot) return false
    denials++
  }
  return denials > 0
}

const covers = ({ height, isGenesis, timeMillis }: OldestBlock, window: LandingWindow): boolean => {
  const { isAged, lastValidBlockHeight, recordedMillis } = window
  if (isGenesis) return true
  if (lastValidBlockHeight !== undefined && height !== null && height + BLOCKHASH_BLOCKS <= lastValidBlockHeight)
    return true
  return isAged && timeMillis !== null && timeMillis + OLDER_MILLIS <= recordedMillis
}

/**
 * Whether the signature at `index` is certainly not on chain: at least one endpoint whose ledger covers the window does
 * not know it, and no endpoint leaves doubt. An endpoint that lags behind `slot`, or whose ledger starts after the
 * transaction could have landed, leaves doubt.
 */
export const isUnknown = (answers: EndpointAnswers, index: number, window: LandingWindow, slot: bigint): boolean => {
  let denials = 0
  for (const { result } of answers) {
    if (Result.isFailure(result)) {
      if (isUnsupported(result.failure)) continue
      return false
    }
    const { ledger, statuses, ...lookup } = result.success
    if (lookup.slot < slot || statuses[index] !== null) return false
    if (Result.isFailure(ledger)) {
      if (isUnsupported(ledger.failure)) continue
      return false
    }
    const { finalizedHeight, oldest } = ledger.success
    const { lastValidBlockHeight } = window
    if (lastValidBlockHeight !== undefined && finalizedHeight <= lastValidBlockHeight) return false
    if (!covers(oldest, window)) return false
    denials++
  }
  return denials > 0
}
