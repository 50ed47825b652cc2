import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { toRawTransaction } from "@launch-registry/chain/transactions/ToRawTransaction"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { describeFault, isOfRequest, type RpcError } from "@launch-registry/chain/rpc/RpcError"
import { TRANSACTION_VERSION_MAX, UNSUPPORTED_VERSION } from "@launch-registry/chain/rpc/TransactionVersion"
import { plain } from "@launch-registry/domain/text/PlainText"
import type { Signature, Slot } from "@solana/kit"
import { Effect } from "effect"
import { type Fetched, HistoryIncomplete, type Unfetched } from "./ChainHistory.ts"
import type { RequestCounter } from "./RequestCount.ts"

const TRANSACTIONS_AT_ONCE = 8
const DETAIL_LENGTH_MAX = 150
/** Where so many in a row are not given, the endpoints are at fault, and not the transactions: but for those of a newer version. */
export const REFUSED_MAX = 100

export type Commitment = "confirmed" | "finalized"

/** A transaction to fetch; the slot where it has to be. */
interface Wanted {
  readonly signature: string
  readonly slot?: bigint
}

/** One answer: whole, without a part or refused, or none. */
type Answer =
  | { readonly kind: "whole"; readonly transaction: RawTransaction }
  | { readonly kind: "doubtful"; readonly transaction: RawTransaction; readonly reason: string }
  | { readonly kind: "cut"; readonly reason: string; readonly isNewer?: boolean }
  | { readonly kind: "none" }

/** What endpoints say of one request in place of a usable answer. */
const refusalOf = ({ reason }: RpcError): string => {
  if (reason._tag === "Malformed") return "answered in another form"
  const detail = reason._tag === "Rejected" ? `: ${plain(reason.detail, DETAIL_LENGTH_MAX)}` : ""
  return `refused by the endpoints (${describeFault(reason)}${detail})`
}

const isNewer = ({ reason }: RpcError): boolean => reason._tag === "Rejected" && reason.code === UNSUPPORTED_VERSION

export const incomplete = (error: RpcError) => Effect.fail(new HistoryIncomplete({ reason: error.message }))

const asked = (signature: string, commitment: Commitment) => (call: Rpc["Service"]["call"]) =>
  call((kit) =>
    kit.getTransaction(signature as Signature, {
      encoding: "json",
      commitment,
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    }),
  ).pipe(
    Effect.map((answer): Answer => {
      if (answer === null) return { kind: "none" }
      const transaction = toRawTransaction(answer)
      const missing = missingPart(transaction)
      if (missing === undefined) return { kind: "whole", transaction }
      const reason = `answered without ${missing.part}`
      return missing.isCertain ? { kind: "cut", reason } : { kind: "doubtful", transaction, reason }
    }),
    // It concerns this one alone, such as one of a version that is not known here.
    Effect.catchIf(isOfRequest, (error) =>
      Effect.succeed<Answer>({ kind: "cut", reason: refusalOf(error), isNewer: isNewer(error) }),
    ),
  )

/**
 * Where an answer is not whole, every endpoint in use is asked, the same one again as well. What may be whole, as of an old program, is
 * believed when no endpoint has more.
 */
const fetchOne = Effect.fnUntraced(function* (rpc: Rpc["Service"], signature: string, commitment: Commitment) {
  const ask = asked(signature, commitment)
  const first = yield* ask(rpc.call).pipe(Effect.catch(incomplete))
  if (first.kind === "whole") return first
  const answers = (yield* rpc.onEach(ask)).flatMap(({ result }) => (result._tag === "Success" ? [result.success] : []))
  const of = (kind: Answer["kind"]) => [...answers, first].find((answer) => answer.kind === kind)
  return of("whole") ?? of("cut") ?? of("doubtful") ?? first
})

type Indexes = ReadonlyMap<string, number>

/** Indexes of signatures in a block, for nodes that do not return them with the transaction; or why there are none. */
const indexesOf = Effect.fnUntraced(function* (rpc: Rpc["Service"], slot: bigint, commitment: Commitment) {
  const block = yield* rpc
    .call((kit) =>
      kit.getBlock(slot as Slot, {
        commitment,
        transactionDetails: "signatures",
        rewards: false,
        maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
      }),
    )
    .pipe(
      Effect.catchIf(isOfRequest, (error) => Effect.succeed(refusalOf(error))),
      Effect.catch(incomplete),
    )
  if (block === null) return "not available"
  if (typeof block === "string") return block
  return new Map(block.signatures.map((signature, index) => [signature as string, index])) as Indexes
})

const unread = (signature: string, reason: string): Unfetched => ({
  ...{ signature, reason, isAvailable: true, isAsked: true },
})

/**
 * Transactions by JSON-RPC, with their indexes in their blocks, in the order asked for; and those that no endpoint has whole. None is
 * asked for once the counter has too many that were refused.
 */
export const fetchTransactions = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  wanted: ReadonlyArray<Wanted>,
  commitment: Commitment,
  counter: Pick<RequestCounter, "refused"> = { refused: 0 },
) {
  if (counter.refused >= REFUSED_MAX) {
    const reason = `not asked for: the endpoints gave none of the last ${counter.refused}`
    const unasked = wanted.map(({ signature }) => ({ ...unread(signature, reason), isAsked: false }))
    return { transactions: [], unfetched: unasked } satisfies Fetched as Fetched
  }
  const fetched: Array<RawTransaction> = []
  const unfetched: Array<Unfetched> = []
  const answers = yield* Effect.forEach(wanted, ({ signature }) => fetchOne(rpc, signature, commitment), {
    concurrency: TRANSACTIONS_AT_ONCE,
  })
  for (const [index, answer] of answers.entries()) {
    const { signature, slot } = wanted[index]!
    if (answer.kind === "none") unfetched.push({ ...unread(signature, "listed but not available"), isAvailable: false })
    else if (answer.kind === "cut") unfetched.push(unread(signature, answer.reason))
    else if (slot !== undefined && BigInt(answer.transaction.slot) !== slot)
      unfetched.push(unread(signature, "listed in another slot than it is answered in"))
    else fetched.push(answer.transaction)
  }
  const slots = [
    ...new Set(fetched.filter(({ indexWithinBlock }) => indexWithinBlock === undefined).map(({ slot }) => slot)),
  ]
  const indexes = new Map(
    yield* Effect.forEach(
      slots,
      (slot) => Effect.map(indexesOf(rpc, BigInt(slot), commitment), (ofSlot) => [slot, ofSlot] as const),
      { concurrency: TRANSACTIONS_AT_ONCE },
    ),
  )
  const transactions: Array<RawTransaction> = []
  for (const raw of fetched) {
    const signature = raw.transaction.signatures[0]!
    const block = indexes.get(raw.slot)
    const indexWithinBlock = raw.indexWithinBlock ?? (typeof block === "string" ? undefined : block?.get(signature))
    if (indexWithinBlock !== undefined) transactions.push({ ...raw, indexWithinBlock })
    else {
      const reason = typeof block === "string" ? `in block ${raw.slot}, which is ${block}` : "not in its block"
      unfetched.push(unread(signature, reason))
    }
  }
  const newer = answers.filter((answer) => answer.kind === "cut" && answer.isNewer === true).length
  counter.refused = transactions.length > 0 ? 0 : counter.refused + wanted.length - newer
  return { transactions, unfetched } satisfies Fetched as Fetched
})
