import { missingPart } from "@launch-registry/chain/launch/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { RpcError } from "@launch-registry/chain/rpc/RpcError"
import type { Signature, Slot } from "@solana/kit"
import { Effect } from "effect"
import { type Fetched, HistoryIncomplete, type Unfetched } from "./ChainHistory.ts"
import { toRawTransaction } from "./ToRawTransaction.ts"

const TRANSACTIONS_AT_ONCE = 8

export type Commitment = "confirmed" | "finalized"

/** A transaction to fetch; the slot where it has to be. */
interface Wanted {
  readonly signature: string
  readonly slot?: bigint
}

/** One answer: whole, without a part, or none. */
type Answer =
  | { readonly kind: "whole"; readonly transaction: RawTransaction }
  | { readonly kind: "doubtful"; readonly transaction: RawTransaction; readonly reason: string }
  | { readonly kind: "cut"; readonly reason: string }
  | { readonly kind: "none" }

export const incomplete = (error: RpcError) => Effect.fail(new HistoryIncomplete({ reason: error.message }))

const asked = (signature: string, commitment: Commitment) => (call: Rpc["Service"]["call"]) =>
  call((kit) =>
    kit.getTransaction(signature as Signature, {
      encoding: "json",
      commitment,
      // Version 1 has landed on mainnet; kit's types end at 0.
      maxSupportedTransactionVersion: 1 as 0,
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
    // No endpoint's answer had the form of a transaction.
    Effect.catchIf(
      ({ reason }) => reason._tag === "Malformed",
      () => Effect.succeed<Answer>({ kind: "cut", reason: "answered in another form" }),
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

/** Indexes of signatures in a block, for nodes that do not return them with the transaction. */
const indexesOf = Effect.fnUntraced(function* (rpc: Rpc["Service"], slot: bigint, commitment: Commitment) {
  const block = yield* rpc
    .call((kit) =>
      kit.getBlock(slot as Slot, {
        commitment,
        transactionDetails: "signatures",
        rewards: false,
        maxSupportedTransactionVersion: 1 as 0,
      }),
    )
    .pipe(Effect.catch(incomplete))
  if (block === null) return yield* new HistoryIncomplete({ reason: `block ${slot} is not available` })
  return new Map(block.signatures.map((signature, index) => [signature as string, index]))
})

/** Transactions by JSON-RPC, with their indexes in their blocks, in the order asked for; and those that no endpoint has whole. */
export const fetchTransactions = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  wanted: ReadonlyArray<Wanted>,
  commitment: Commitment,
) {
  const fetched: Array<RawTransaction> = []
  const unfetched: Array<Unfetched> = []
  const answers = yield* Effect.forEach(wanted, ({ signature }) => fetchOne(rpc, signature, commitment), {
    concurrency: TRANSACTIONS_AT_ONCE,
  })
  for (const [index, answer] of answers.entries()) {
    const { signature, slot } = wanted[index]!
    if (answer.kind === "none") unfetched.push({ signature, reason: "listed but not available", isAvailable: false })
    else if (answer.kind === "cut") unfetched.push({ signature, reason: answer.reason, isAvailable: true })
    else if (slot !== undefined && BigInt(answer.transaction.slot) !== slot)
      return yield* new HistoryIncomplete({ reason: `${signature} is listed in another slot` })
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
  const transactions = yield* Effect.forEach(fetched, (raw) => placed(raw, indexes))
  return { transactions, unfetched } satisfies Fetched as Fetched
})

const placed = (
  raw: RawTransaction,
  indexes: ReadonlyMap<number, ReadonlyMap<string, number>>,
): Effect.Effect<RawTransaction, HistoryIncomplete> => {
  if (raw.indexWithinBlock !== undefined) return Effect.succeed(raw)
  const [signature] = raw.transaction.signatures
  const index = indexes.get(raw.slot)?.get(signature!)
  return index === undefined
    ? Effect.fail(new HistoryIncomplete({ reason: `${signature} is not in its block` }))
    : Effect.succeed({ ...raw, indexWithinBlock: index })
}
