import { exactJson, parseLossless } from "../rpc/LosslessJson.ts"
import type { RawTransaction } from "./RawTransaction.ts"

/** Newer nodes return the index in the block; older ones do not. */
interface Answered {
  readonly transactionIndex?: number | bigint | null
}

/**
 * The answer of `getTransaction` (encoding `json`) as its JSON reads: kit turns all whole numbers into bigints. The transaction's index in
 * its block is named as in raw webhooks.
 */
export const toRawTransaction = (answer: object): RawTransaction => {
  const { transactionIndex } = answer as Answered
  const raw = parseLossless(exactJson(answer)) as RawTransaction
  return transactionIndex === undefined || transactionIndex === null
    ? raw
    : { ...raw, indexWithinBlock: Number(transactionIndex) }
}
