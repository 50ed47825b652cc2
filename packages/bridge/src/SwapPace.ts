import type { SwapSubstatus } from "@launch-registry/domain/bridge/BridgeSwap"

const DAY_MILLIS = 86_400_000

/** How a swap is followed in one state: at intervals that grow with the time since its last change. */
interface Pace {
  /** The part of that time, between the first and the longest interval. Means: jitter is 25 % either way. */
  readonly share: number
  readonly firstSeconds: number
  readonly longestSeconds: number
  /** How long after that change, or after the end of its address, it is followed. */
  readonly days: number
}

/** Money is on its way; some were stuck for weeks (github.com/defuse-protocol/one-click-sdk-typescript/issues/6). */
const MOVING: Pace = { share: 0.1, firstSeconds: 4, longestSeconds: 1_440, days: 30 }
/** An end that may still change: FAILED, a refund without its amount, a delivery without its hash. */
const SETTLED: Pace = { share: 0, firstSeconds: 1_440, longestSeconds: 1_440, days: 7 }

const PACES: Readonly<Record<SwapSubstatus, Pace>> = {
  // Quotes cost nothing: eighteen polls in the half hour in which most are paid or never are.
  awaiting_deposit: { share: 1 / 3, firstSeconds: 15, longestSeconds: 240, days: 7 },
  // A late deposit is a user's money.
  expired: { share: 1 / 3, firstSeconds: 240, longestSeconds: 1_440, days: 7 },
  // As far as a report of anybody goes that the swap service took.
  deposit_seen: { ...MOVING, firstSeconds: 10 },
  processing: MOVING,
  incomplete: MOVING,
  needs_review: MOVING,
  unknown: MOVING,
  delivered: SETTLED,
  refunded: SETTLED,
  failed: SETTLED,
}

const BACKOFF_MILLIS = 2_000
const BACKOFF_MILLIS_MAX = 300_000

/** When a swap in this state is no longer followed, unless it changes. Times are milliseconds since 1970. */
export const followedUntil = (substatus: SwapSubstatus, changedAtMillis: number, inactiveAtMillis: number): number =>
  Math.max(changedAtMillis, inactiveAtMillis) + PACES[substatus].days * DAY_MILLIS

/**
 * Milliseconds until the next poll, so long after the last change. After polls that failed it is exponential too. `random` is in
 * [0, 1).
 */
export const nextPollMillis = (
  substatus: SwapSubstatus,
  sinceMillis: number,
  failures: number,
  random: number,
): number => {
  const { firstSeconds, longestSeconds, share } = PACES[substatus]
  const mean = Math.min(longestSeconds * 1_000, Math.max(firstSeconds * 1_000, sinceMillis * share))
  const backoff = failures === 0 ? 0 : Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS * 2 ** failures)
  return Math.round(Math.max(mean, backoff) * (0.75 + 0.5 * random))
}
