import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"

/** Writes a number into JSON with exactly these digits (ECMAScript 2026, JSON.parse source text access). */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** Newer nodes return the index in the block; older ones do not. */
interface Answered {
  readonly transactionIndex?: number | bigint | null
}

/**
 * The answer of `getTransaction` (encoding `json`) as the original JSON: kit turns whole numbers into bigints. The
 * transaction's index in its block is named as in raw webhooks.
 */
export const toRawTransaction = (answer: object): RawTransaction => {
  const { transactionIndex } = answer as Answered
  const text = JSON.stringify(answer, (_, value: unknown) =>
    typeof value === "bigint" ? exactNumber(String(value)) : value,
  )
  const raw = JSON.parse(text) as RawTransaction
  return transactionIndex === undefined || transactionIndex === null
    ? raw
    : { ...raw, indexWithinBlock: Number(transactionIndex) }
}
