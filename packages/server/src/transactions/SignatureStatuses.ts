import type { EndpointAnswer, Rpc, RpcCall } from "@launch-registry/chain/rpc/Rpc"
import type { RpcError } from "@launch-registry/chain/rpc/RpcError"
import type { Signature } from "@solana/kit"
import { Effect, Result } from "effect"

/** Blocks for which a blockhash is good. */
const BLOCKHASH_BLOCKS = 150n
/** Without a block height, a transaction is taken to be at most this much older than its record. */
const OLDER_MILLIS = 3_600_000

/** What a node says of a transaction that it knows. */
export interface SignatureStatus {
  readonly err: unknown
  readonly confirmationStatus: string | null
}

/** When a transaction can have landed. */
export interface LandingWindow {
  /** Nothing when only its age is known. */
  readonly lastValidBlockHeight: bigint | undefined
  /** When it was recorded. */
  readonly recordedMillis: number
  /** Whether its age alone would end it. */
  readonly isAged: boolean
}

/** The oldest block that a node keeps; all of them were kept when it is the first of the chain. */
interface OldestBlock {
  readonly isGenesis: boolean
  readonly height: bigint | null
  readonly timeMillis: number | null
}

/** What one endpoint says of some signatures, and what its word is worth. */
interface SignatureLookup {
  readonly statuses: ReadonlyArray<SignatureStatus | null>
  /** Slot that the node had reached when it looked. */
  readonly slot: bigint
  readonly ledger: Result.Result<LedgerRange, RpcError>
}

interface LedgerRange {
  /** Block height that the node had finalized before it looked. */
  readonly finalizedHeight: bigint
  /** The oldest block that it kept afterwards. */
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

/** Has every endpoint in use look for these signatures, as far back as it can. */
export const lookUpOnEveryEndpoint = (
  rpc: Rpc["Service"],
  signatures: ReadonlyArray<string>,
): Effect.Effect<EndpointAnswers> =>
  rpc.onEach(
    Effect.fnUntraced(function* (call: RpcCall) {
      // What is finalized is asked before, and what is kept after: neither can have been otherwise during the look.
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
      return { statuses: value, slot: value.length === signatures.length ? context.slot : -1n, ledger }
    }),
  )

/** A node that does not serve a method says nothing; whatever else goes wrong may hide what it knows. */
const isUnsupported = ({ reason }: RpcError): boolean => reason._tag === "NotHere" || reason._tag === "Forbidden"

const covers = ({ height, isGenesis, timeMillis }: OldestBlock, window: LandingWindow): boolean => {
  const { isAged, lastValidBlockHeight, recordedMillis } = window
  if (isGenesis) return true
  if (lastValidBlockHeight !== undefined && height !== null && height + BLOCKHASH_BLOCKS <= lastValidBlockHeight)
    return true
  return isAged && timeMillis !== null && timeMillis + OLDER_MILLIS <= recordedMillis
}

/**
 * Whether the chain can be taken not to know the signature at `index`: somebody who would know says so, and nobody leaves a
 * doubt. A node that lags behind `slot`, or whose history begins after the transaction could have landed, would not know.
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
