/** What is wrong with a fee payer that cannot pay. Nothing that was executed ends with one of these. */
const UNPAID: ReadonlySet<unknown> = new Set(["AccountNotFound", "InsufficientFundsForFee", "InvalidAccountForFee"])

/**
 * Whether a transaction that ended with this error was not executed, because its fee payer cannot pay: a block may hold it all the same
 * (SIMD-0290), without fee, logs or effect. While that block stands, the network does not take its bytes again.
 *
 * A fee payer that the fee would leave below its rent gives `InsufficientFundsForRent`, like a transaction that was executed: there the fee
 * tells, in lamports, where it is known.
 */
export const isNotExecuted = (err: unknown, fee?: unknown): boolean =>
  UNPAID.has(err) || (err !== null && (fee === 0 || fee === 0n))
