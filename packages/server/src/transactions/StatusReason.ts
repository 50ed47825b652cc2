import { isExecuted } from "@launch-registry/chain/submissions/Executed"
import { plain } from "@launch-registry/domain/text/PlainText"
import type { Contradiction } from "@launch-registry/domain/tokens/TokenErrors"

const LENGTH_MAX = 200
/** What the column takes. */
const REASON_LENGTH_MAX = 300

/** A transaction error as text: `InstructionError 2, Custom 6002`. Its shape depends on the node. */
const words = (error: unknown, depth = 0): string => {
  if (typeof error !== "object" || error === null || depth > 4) return String(error)
  if (Array.isArray(error)) return error.map((part) => words(part, depth + 1)).join(", ")
  return Object.entries(error)
    .map(([name, detail]) => `${name} ${words(detail, depth + 1)}`)
    .join(", ")
}

/** How the reason of a transaction that failed on chain begins. */
export const FAILED_ON_CHAIN = "failed on chain:"

/** Status reason of a transaction that failed on chain, or that a block holds without having executed it. */
export const failedOnChain = (error: unknown): string =>
  plain(`${isExecuted(error) === false ? "not executed:" : FAILED_ON_CHAIN} ${words(error)}`, LENGTH_MAX)

/** Status reason of a transaction past its last valid block height. */
export const pastHeight = (lastValid: bigint, finalized: bigint): string =>
  `expired: valid until block height ${lastValid}; not found by finalized block height ${finalized}`

/** Status reason of an old transaction without a block height. */
export const PAST_AGE = "expired: not found on chain an hour after it was recorded"

/** Status reason of a record whose hash cannot be looked up. */
export const NO_SIGNATURE = "expired: the hash is not a Solana signature, an hour after it was recorded"

/** Status reason of a record whose transaction landed with another trade. */
export const contradicted = (contradictions: ReadonlyArray<Contradiction>): string =>
  plain(
    `contradicted by the chain: ${contradictions.map(({ field, onChain, sent }) => `${field} is ${onChain}, not ${sent}`).join("; ") || "the transaction holds no such trade"}`,
    REASON_LENGTH_MAX,
  )
