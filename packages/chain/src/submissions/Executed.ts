/** What is wrong with a fee payer that cannot pay. Nothing that was executed ends with one of these. */
const UNPAID: ReadonlySet<unknown> = new Set(["AccountNotFound", "InsufficientFundsForFee", "InvalidAccountForFee"])

/**
 * Whether a transaction that ended with this error was executed. Where its fee payer cannot pay, it was not, and a block may hold it all the
 * same (SIMD-0290), without fee, logs or effect. While that block stands, the network does not take its bytes again.
 *
 * A fee payer that the fee would leave below its rent gives `InsufficientFundsForRent`, like a transaction that was executed: there the fee
 * tells, in lamports. Without it the answer is `undefined`.
 */
export const isExecuted = (err: unknown, fee?: unknown): boolean | undefined => {
  if (err === null) return true
  if (UNPAID.has(err) || fee === 0 || fee === 0n) return false
  const isKnown = typeof fee === "number" || typeof fee === "bigint"
  return isKnown || typeof err !== "object" || !("InsufficientFundsForRent" in err) || undefined
}
