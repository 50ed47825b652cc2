import type { RecipientType, SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { SwapDetails } from "./SwapDetails.ts"
import { evidenceOf, type SwapEvidence } from "./SwapEvidence.ts"

/** How long a final status that may still change (FAILED, a refund without its amount) is polled. */
const RECHECK_MILLIS = 7 * 86_400_000
/** How long an unpaid quote is polled after its address became inactive: a late deposit is a user's money. */
const ABANDONED_MILLIS = 7 * 86_400_000
/** How long after that a swap with a deposit is polled. Some were stuck for weeks (defuse-protocol/one-click-sdk-typescript, issue 6). */
const STUCK_MILLIS = 30 * 86_400_000
/** How long a delivered swap is polled for the hash of its delivery. */
const HASH_MILLIS = 86_400_000
const STALLED_MILLIS_MIN = 600_000
const STALLED_ESTIMATES = 8
/** From then on a stalled swap is a case for people. */
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

/** What is known of a swap when its outcome is asked for. Times are milliseconds since 1970. */
export interface SwapFacts {
  /** What the upstream said, as it came. `undefined`: 404, it does not know the deposit address. */
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
   * A client told of a transaction that the upstream has neither taken nor refused to the end. Anybody may tell of one, so it
   * says nothing but that the clock should not conclude anything yet.
   */
  readonly isReported: boolean
  /** The upstream said before that there is a deposit. */
  readonly isDepositShown: boolean
  /** Smallest units of the destination asset that arrived, where that is known, and the least that have to. */
  readonly deliveredAmount: string | undefined
  readonly leastAmountOut: string
  /** What this function said before; `undefined` the first time. */
  readonly previous: Pick<SwapOutcome, "status" | "substatus"> | undefined
  /** When what the upstream says last changed, as this service saw it: `updatedAt` of the upstream freezes. */
  readonly lastChangeAtMillis: number
  readonly nowMillis: number
}

/** What a record shows of a swap, and what becomes of it. */
export interface SwapOutcome {
  readonly status: "pending" | "success" | "failed"
  readonly substatus: SwapSubstatus
  /** Money is on its way and nothing has changed for longer than it should take. */
  readonly stalled: boolean
  /** Somebody should take it to the support of the upstream, with the signed quote and the correlationId. */
  readonly needsReview: boolean
  /** The upstream says, or said before, that there is a deposit: whatever follows, there was one. */
  readonly isDepositShown: boolean
  /** Less was delivered than the quote allows. */
  readonly isShort: boolean
  /** A status that is not known here: to be counted and logged. */
  readonly isUnknownUpstream: boolean
  /** Whether to go on asking the upstream. */
  readonly isWatched: boolean
  /** Smallest units of the origin asset that are missing; only with `incomplete`. */
  readonly missingAmount?: string
}

/**
 * What has to arrive for a swap to start: with EXACT_OUTPUT `amountIn` holds a buffer for slippage, and with FLEX_INPUT less
 * than it is enough.
 */
export const requiredDeposit = (
  swapType: SwapType,
  quote: { readonly amountIn: string; readonly minAmountIn: string },
): string => (swapType === "EXACT_INPUT" ? quote.amountIn : quote.minAmountIn)

/** What has to be delivered: with EXACT_OUTPUT the amount itself, whatever the quote calls its least. */
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

/** What the upstream says before it has seen a deposit. */
const isSilent = (upstreamStatus: string | undefined): boolean =>
  upstreamStatus === undefined || upstreamStatus === "PENDING_DEPOSIT"

const isKnown = (upstreamStatus: string | undefined): boolean =>
  isSilent(upstreamStatus) || upstreamStatus === "SUCCESS" || OF_UPSTREAM.has(upstreamStatus)

/** SUCCESS is what the upstream also says of swaps that it refunded in full (defuse-protocol/one-click-sdk-typescript, issue 20): evidence decides. */
const endOfSuccess = (evidence: SwapEvidence): End => {
  if (evidence.isDelivered && !evidence.isRefundedInFull) return ["success", "delivered"]
  // Money here and there at once: nobody can tell from this what happened.
  if (evidence.isDelivered && evidence.hasDestinationHash) return ["pending", "needs_review"]
  return evidence.isRefunded ? ["failed", "refunded"] : ["pending", "needs_review"]
}

const endWithoutNews = (facts: SwapFacts, evidence: SwapEvidence): End => {
  if (evidence.hasDeposit) return ["pending", "deposit_seen"]
  const expiresAt = Math.min(facts.refundStartsAtMillis, facts.inactiveAtMillis)
  // What is reported of an open swap may be its deposit, until it is refused; what has expired is opened by a deposit alone.
  const mayBePaid = facts.isReported && facts.previous?.substatus !== "expired"
  const end = mayBePaid ? Math.max(expiresAt, facts.inactiveAtMillis + ABANDONED_MILLIS) : expiresAt
  return facts.nowMillis >= end ? ["failed", "expired"] : ["pending", "awaiting_deposit"]
}

const endOf = (facts: SwapFacts, evidence: SwapEvidence): End => {
  const { previous, upstreamStatus } = facts
  const told = upstreamStatus === "SUCCESS" ? endOfSuccess(evidence) : OF_UPSTREAM.get(upstreamStatus)
  const isSettled = previous !== undefined && previous.status !== "pending" && previous.substatus !== "expired"
  if (told !== undefined) {
    // What was delivered or sent back is not on its way again, whatever a lagging replica says or leaves out. Money here
    // and there at once, however, puts the end itself in doubt.
    const isDoubt = upstreamStatus === "SUCCESS" && evidence.isDelivered
    const isStep = told[0] === "pending" && isSettled && previous.substatus !== "failed" && !isDoubt
    return isStep ? [previous.status, previous.substatus] : told
  }
  // 404, PENDING_DEPOSIT and words nobody knows say nothing about an end that was seen.
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

/** For how long nothing has changed that should have, in milliseconds; 0 while it is in time. */
const lateMillis = (facts: SwapFacts, [status, substatus]: End): number => {
  if (status !== "pending" || substatus === "awaiting_deposit") return 0
  const allowed = Math.max(STALLED_MILLIS_MIN, STALLED_ESTIMATES * facts.timeEstimateSeconds * 1_000)
  // A deposit that is too small waits for its rest until the refund starts.
  const since =
    substatus === "incomplete"
      ? Math.max(facts.lastChangeAtMillis, facts.refundStartsAtMillis)
      : facts.lastChangeAtMillis
  return Math.max(0, facts.nowMillis - since - allowed)
}

/** Of these the upstream speaks only where there is a deposit. */
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
 * The outcome of a swap, for every answer that the upstream may give. A refund is never a success; `failed` is never
 * concluded from our clock once a deposit is known of; and an end that evidence proves is not overturned by an answer
 * that proves nothing.
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
