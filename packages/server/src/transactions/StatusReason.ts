import { plain } from "@launch-registry/domain/text/PlainText"

const LENGTH_MAX = 200

/** A transaction's error in words: `InstructionError 2, Custom 6002`. It is whatever a node sends. */
const words = (error: unknown, depth = 0): string => {
  if (typeof error !== "object" || error === null || depth > 4) return String(error)
  if (Array.isArray(error)) return error.map((part) => words(part, depth + 1)).join(", ")
  return Object.entries(error)
    .map(([name, detail]) => `${name} ${words(detail, depth + 1)}`)
    .join(", ")
}

/** Why a record failed that landed and failed. */
export const failedOnChain = (error: unknown): string => plain(`failed on chain: ${words(error)}`, LENGTH_MAX)

/** Why a record failed whose block height is past. */
export const pastHeight = (lastValid: bigint, finalized: bigint): string =>
  `expired: valid until block height ${lastValid}; finalized block height ${finalized} was reached without it`

/** Why a record failed that has no block height to go by. */
export const PAST_AGE = "expired: an hour after it was recorded the chain does not know it"

/** Why a record failed whose hash nobody can look up. */
export const NO_SIGNATURE = "expired: the hash is no Solana signature, and nobody said within an hour how it ended"
