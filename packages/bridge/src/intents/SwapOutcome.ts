import type { RecipientType, SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { SwapDetails } from "./SwapDetails.ts"
import { evidenceOf, type SwapEvidence } from "./SwapEvidence.ts"

/** How long a final status that may still change (FAILED, a refund without its amount) is polled. */
const RECHECK_MILLIS = 7 * 86_400_000
/** How long an unpaid quote is polled after its address became inactive: a late deposit is a user's money. */
const ABANDONED_MILLIS = 7 * 86_400_000
/**
 * How long after that a swap with a deposit is polled. Some were stuck for weeks
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/6).
 */
const STUCK_MILLIS = 30 * 86_400_000
/** How long a delivered swap is polled for the hash of its delivery. */
const HASH_MILLIS = 86_400_000
const STALLED_MILLIS_MIN = 600_000
const STALLED_ESTIMATES = 8
/** From then on a stalled swap needs review. */
const REVIEW_MILLIS = 86_400_000

export type SwapSubstatus =
  | "awaiting_deposit"
  | "expired"
  | "deposit_seen"
  | "processing"
  | "incomplete"
  | "needs_review"
  | "unknown"
  | "delivered"
  | "refunded"
  | "failed"

/** The input of a swap's outcome. Times are milliseconds since 1970. */
export interface SwapFacts {
  /** The upstream's status, unchanged. `undefined`: 404, it does not know the deposit address. */
  readonly upstreamStatus: string | undefined
  readonly details: SwapDetails | undefined
  readonly recipientType: RecipientType
  /** `deadline` of the request: from then on a deposit is refunded. */
  readonly refundStartsAtMillis: number
  /** `deadline` of the quote: from then on the address is inactive. */
  readonly inactiveAtMillis: number
  /** Seconds, of the quote. */
  readonly timeEstimateSeconds: number
  /** Smallest units that have to arrive: `requiredDeposit`. */
  readonly requiredAmount: string
  /** Reported deposits that the upstream accepted. */
  readonly depositTxHashes: ReadonlyArray<string>
  /**
   * A client reported a deposit that the upstream has neither accepted nor finally refused. Anyone can report one, so
   * it proves nothing; it only keeps an unpaid swap from expiring yet.
   */
  readonly isReported: boolean
  /** The upstream has reported a deposit before. */
  readonly isDepositShown: boolean
  /**
   * Smallest units of the destination asset that arrived, when known; `leastAmountOut` is what has to arrive at least.
   */
  readonly deliveredAmount: string | undefined
  readonly leastAmountOut: string
  /** The previous result of this function; `undefined` the first time. */
  readonly previous: Pick<SwapOutcome, "status" | "substatus"> | undefined
  /** When this service last saw the upstream's answer change; the upstream's own `updatedAt` can freeze. */
  readonly lastChangeAtMillis: number
  readonly nowMillis: number
}

/** The state of a swap that its record shows, and whether to go on polling. */
export interface SwapOutcome {
  readonly status: "pending" | "success" | "failed"
  readonly substatus: SwapSubstatus
  /** Money is on its way and nothing has changed for longer than it should take. */
  readonly stalled: boolean
  /** An operator should contact the upstream's support, with the signed quote and the correlationId. */
  readonly needsReview: boolean
  /** The upstream reports a deposit, or has reported one before; never reset. */
  readonly isDepositShown: boolean
  /** Less was delivered than the quote allows. */
  readonly isShort: boolean
  /** The upstream's status is unknown to this service; counted and logged. */
  readonly isUnknownUpstream: boolean
  /** Whether to go on polling the upstream. */
  readonly isWatched: boolean
  /** Smallest units of the origin asset that are missing; only with `incomplete`. */
  readonly missingAmount?: string
}

/**
 * The least deposit that starts a swap. With EXACT_OUTPUT `amountIn` includes a buffer for slippage; with FLEX_INPUT
 * less than `amountIn` is enough.
 */
export const requiredDeposit = (
  swapType: SwapType,
  quote: { readonly amountIn: string; readonly minAmountIn: string },
): string => (swapType === "EXACT_INPUT" ? quote.amountIn : quote.minAmountIn)

/** The least that has to be delivered: with EXACT_OUTPUT the amount itself, not the quote's minimum. */
export const leastDelivery = (
  swapType: SwapType,
  quote: { readonly amountOut: string; readonly minAmountOut: string },
): string => (swapType === "EXACT_OUTPUT" ? quote.amountOut : quote.minAmountOut)

type End = readonly [SwapOutcome["status"], SwapSubstatus]

const OF_UPSTREAM: ReadonlyMap<string | undefined, End> = new Map([
  ["KNOWN_DEPOSIT_TX", ["pending", "deposit_seen"]],
  ["PROCESSING", ["pending", "processing"]],
  ["INCOMPLETE_DEPOSIT", ["pending", "incomplete"]],
  ["REFUNDED", ["failed", "refunded"]],
  ["FAILED", ["failed", "failed"]],
])

/** The upstream's statuses before it has seen a deposit. */
const isSilent = (upstreamStatus: string | undefined): boolean =>
  upstreamStatus === undefined || upstreamStatus === "PENDING_DEPOSIT"

const isKnown = (upstreamStatus: string | undefined): boolean =>
  isSilent(upstreamStatus) || upstreamStatus === "SUCCESS" || OF_UPSTREAM.has(upstreamStatus)

/**
 * The upstream also says SUCCESS for swaps that it refunded in full, so evidence decides
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/20).
 */
const endOfSuccess = (evidence: SwapEvidence): End => {
  if (evidence.isDelivered && !evidence.isRefundedInFull) return ["success", "delivered"]
  // Both delivered and refunded in full: contradictory, so it needs review.
  if (evidence.isDelivered && evidence.hasDestinationHash) return ["pending", "needs_review"]
  return evidence.isRefunded ? ["failed", "refunded"] : ["pending", "needs_review"]
}

const endWithoutNews = (facts: SwapFacts, evidence: SwapEvidence): End => {
  if (evidence.hasDeposit) return ["pending", "deposit_seen"]
  const expiresAt = Math.min(facts.refundStartsAtMillis, facts.inactiveAtMillis)
  // A reported deposit keeps an open swap from expiring until it is refused; an expired swap is reopened only by a real
  // deposit.
  const mayBePaid = facts.isReported && facts.previous?.substatus !== "expired"
  const end = mayBePaid ? Math.max(expiresAt, facts.inactiveAtMillis + ABANDONED_MILLIS) : expiresAt
  return facts.nowMillis >= end ? ["failed", "expired"] : ["pending", "awaiting_deposit"]
}

const endOf = (facts: SwapFacts, evidence: SwapEvidence): End => {
  const { previous, upstreamStatus } = facts
  const told = upstreamStatus === "SUCCESS" ? endOfSuccess(evidence) : OF_UPSTREAM.get(upstreamStatus)
  const isSettled = previous !== undefined && previous.status !== "pending" && previous.substatus !== "expired"
  if (told !== undefined) {
    // A delivered or refunded swap does not become pending again because a lagging replica says so. Evidence of both
    // delivery and refund, however, puts the end itself in doubt.
    const isDoubt = upstreamStatus === "SUCCESS" && evidence.isDelivered
    const isStep = told[0] === "pending" && isSettled && previous.substatus !== "failed" && !isDoubt
    return isStep ? [previous.status, previous.substatus] : told
  }
  // 404, PENDING_DEPOSIT and unknown statuses do not revoke an end that was seen.
  if (isSettled) return [previous.status, previous.substatus]
  if (!isSilent(upstreamStatus)) return ["pending", "unknown"]
  const hasStarted = previous?.substatus === "processing" || previous?.substatus === "incomplete"
  return hasStarted ? ["pending", previous.substatus] : endWithoutNews(facts, evidence)
}

const watchedUntil = (facts: SwapFacts, substatus: SwapSubstatus, evidence: SwapEvidence): number => {
  const { inactiveAtMillis, lastChangeAtMillis } = facts
  if (substatus === "delivered") {
    const isHashMissing = !evidence.hasDestinationHash && facts.recipientType === "DESTINATION_CHAIN"
    return isHashMissing ? lastChangeAtMillis + HASH_MILLIS : -Infinity
  }
  if (substatus === "refunded") return evidence.isRefunded ? -Infinity : lastChangeAtMillis + RECHECK_MILLIS
  if (substatus === "failed") return lastChangeAtMillis + RECHECK_MILLIS
  if (substatus === "awaiting_deposit" || substatus === "expired") return inactiveAtMillis + ABANDONED_MILLIS
  return Math.max(inactiveAtMillis, lastChangeAtMillis) + STUCK_MILLIS
}

/** How long an expected change is overdue, in milliseconds; 0 while it is in time. */
const lateMillis = (facts: SwapFacts, [status, substatus]: End): number => {
  if (status !== "pending" || substatus === "awaiting_deposit") return 0
  const allowed = Math.max(STALLED_MILLIS_MIN, STALLED_ESTIMATES * facts.timeEstimateSeconds * 1_000)
  // A deposit that is too small may be topped up until the refund starts.
  const since =
    substatus === "incomplete"
      ? Math.max(facts.lastChangeAtMillis, facts.refundStartsAtMillis)
      : facts.lastChangeAtMillis
  return Math.max(0, facts.nowMillis - since - allowed)
}

/** Statuses that the upstream gives only after a deposit. */
const SHOWS_DEPOSIT: ReadonlySet<string | undefined> = new Set([
  "KNOWN_DEPOSIT_TX",
  "PROCESSING",
  "INCOMPLETE_DEPOSIT",
  "SUCCESS",
  "REFUNDED",
])

const isDepositShown = ({ details, isDepositShown: before, upstreamStatus }: SwapFacts): boolean =>
  before || SHOWS_DEPOSIT.has(upstreamStatus) || evidenceOf({ ...NO_REPORTS, details }).hasDeposit

const NO_REPORTS = { recipientType: "DESTINATION_CHAIN", depositTxHashes: [], isDepositShown: false } as const

const missingAmount = (facts: SwapFacts): string | undefined => {
  const deposited = facts.details?.depositedAmount
  if (deposited === undefined) return undefined
  const missing = BigInt(facts.requiredAmount) - BigInt(deposited)
  return missing > 0n ? missing.toString() : undefined
}

/**
 * The outcome of a swap for any answer of the upstream. A refund is never a success; once a deposit is known, our clock
 * alone never makes a swap `failed`; and an end that evidence proves is not overturned by an answer without evidence.
 */
export const swapOutcome = (facts: SwapFacts): SwapOutcome => {
  const evidence = evidenceOf(facts)
  const end = endOf(facts, evidence)
  const [status, substatus] = end
  const late = lateMillis(facts, end)
  const isWatched = facts.nowMillis < watchedUntil(facts, substatus, evidence)
  const isShort =
    substatus === "delivered" &&
    facts.deliveredAmount !== undefined &&
    BigInt(facts.deliveredAmount) < BigInt(facts.leastAmountOut)
  const missing = substatus === "incomplete" ? missingAmount(facts) : undefined
  return {
    status,
    substatus,
    stalled: late > 0 || substatus === "needs_review",
    needsReview:
      isShort ||
      substatus === "needs_review" ||
      (facts.upstreamStatus === "SUCCESS" && !(status === "success" && evidence.isDelivered)) ||
      late > REVIEW_MILLIS ||
      (status === "pending" && !isWatched),
    isDepositShown: isDepositShown(facts),
    isShort,
    isUnknownUpstream: !isKnown(facts.upstreamStatus),
    isWatched,
    ...(missing === undefined ? {} : { missingAmount: missing }),
  }
}
