import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { TIME_MAX } from "@launch-registry/domain/solana/BlockTime"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import { Schema } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Slot = Count.check(Schema.isLessThanOrEqualTo(Number(SLOT_MAX)))
const Time = Count.check(Schema.isLessThanOrEqualTo(Number(TIME_MAX)))
const Signature = Schema.String.check(Schema.isPattern(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/))
const Place = { slot: Slot, transactionIndex: Count }

/** A transaction by its signature; `err` is `null` when it succeeded. */
export const LandedSignature = Schema.Struct({
  ...Place,
  signature: Signature,
  err: Schema.Unknown,
  confirmationStatus: Schema.optional(Schema.NullOr(Schema.Literal("finalized"))),
})
export type LandedSignature = Pick<typeof LandedSignature.Type, "signature" | "slot" | "err" | "transactionIndex">

const Instruction = Schema.Struct({
  programIdIndex: Count,
  accounts: Schema.Array(Count),
  data: Schema.String,
  stackHeight: Schema.optional(Schema.NullOr(Count)),
})

const InnerInstructions = Schema.Array(Schema.Struct({ index: Count, instructions: Schema.Array(Instruction) }))

/** As `getTransaction` answers in JSON, with the place in the block. */
const LandedTransaction = Schema.Struct({
  ...Place,
  blockTime: Schema.NullOr(Time),
  meta: Schema.Struct({
    err: Schema.Unknown,
    innerInstructions: Schema.optional(Schema.NullOr(InnerInstructions)),
    loadedAddresses: Schema.optional(
      Schema.NullOr(Schema.Struct({ writable: Schema.Array(Schema.String), readonly: Schema.Array(Schema.String) })),
    ),
  }),
  transaction: Schema.Struct({
    message: Schema.Struct({
      accountKeys: Schema.NonEmptyArray(Schema.String),
      instructions: Schema.Array(Instruction),
    }),
    signatures: Schema.NonEmptyArray(Signature),
  }),
})

/** What is asked for: signatures, or whole transactions. */
export interface HistoryItems {
  readonly signatures: LandedSignature
  readonly full: RawTransaction & { readonly indexWithinBlock: number }
}
export type HistoryDetails = keyof HistoryItems

export interface HistoryPage<D extends HistoryDetails> {
  readonly items: ReadonlyArray<HistoryItems[D]>
  /** Token of the page after this one; `undefined` when this is the last of the range. */
  readonly next: string | undefined
}

/** The request of a page; slots are inclusive. */
export interface AskedPage {
  readonly details: HistoryDetails
  readonly fromSlot: number
  readonly toSlot: number
  readonly limit: number
  readonly token: string | undefined
}

const resultOf = <S extends Schema.Constraint>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    paginationToken: Schema.optional(Schema.NullOr(Schema.NonEmptyString)),
  })
// Guards instead of decoding, so that a transaction's other fields are kept.
const isSignatures = Schema.is(resultOf(LandedSignature))
const isTransactions = Schema.is(resultOf(LandedTransaction))

/**
 * The page in an answer's `result` (openapi/rpc-http/getTransactionsForAddress.yaml), or `undefined` when it is not
 * what is documented and was asked for. An answer that looks like the end of a range is taken as the end, so everything
 * is checked: every item, the range, the order within a page, and that paging makes progress.
 */
export const pageOf = <D extends HistoryDetails>(
  result: unknown,
  asked: AskedPage & { readonly details: D },
): HistoryPage<D> | undefined => {
  const page =
    asked.details === "full" ? (isTransactions(result) ? result : undefined) : isSignatures(result) ? result : undefined
  if (page === undefined) return undefined
  const { data, paginationToken } = page
  if (data.length > asked.limit) return undefined
  if (!data.every(({ slot }) => slot >= asked.fromSlot && slot <= asked.toSlot)) return undefined
  if (!data.every((item, index) => index === 0 || follows(data[index - 1]!, item))) return undefined
  // Documented as `null` at the end. A missing token counts as the end, except after a full page.
  if (paginationToken === undefined && data.length === asked.limit) return undefined
  // The next page would be the same page again.
  if (paginationToken && paginationToken === asked.token) return undefined
  const items = data.map((item) =>
    asked.details === "signatures" && "signature" in item
      ? { signature: item.signature, slot: item.slot, err: item.err, transactionIndex: item.transactionIndex }
      : { ...item, indexWithinBlock: item.transactionIndex },
  )
  return { items: items as unknown as ReadonlyArray<HistoryItems[D]>, next: paginationToken ?? undefined }
}

interface Placed {
  readonly slot: number
  readonly transactionIndex: number
}

const follows = (left: Placed, right: Placed): boolean =>
  left.slot < right.slot || (left.slot === right.slot && left.transactionIndex < right.transactionIndex)
