import type { FailedTransactionMetadata } from "litesvm"

/**
 * What is in a failure as LiteSVM writes it out, with the names of Solana's SDK (`err: InstructionError(2, Custom(6002))`): its `err()` has
 * numbers of its own for them.
 */
const ERROR = /\berr: (\w+)(?:\((\d+)(?:, (\w+)(?:\((\d+)\))?)?\)| \{ account_index: (\d+) \})?/

/** The error of a transaction in the JSON form of Solana's RPC, such as `{InstructionError: [2, {Custom: 6002}]}`. */
export const errorJson = (failed: FailedTransactionMetadata): unknown => {
  const [, name = "Unknown", index, cause, customCode, accountIndex] = ERROR.exec(failed.toString()) ?? []
  if (accountIndex !== undefined) return { [name]: { account_index: Number(accountIndex) } }
  if (index === undefined) return name
  if (cause === undefined) return { [name]: Number(index) }
  return { [name]: [Number(index), customCode === undefined ? cause : { [cause]: Number(customCode) }] }
}
