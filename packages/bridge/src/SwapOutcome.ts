import type { RecipientType, SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { BridgeSwap, SwapSubstatus } from "@launch-registry/domain/bridge/BridgeSwap"
import { followedUntil } from "./SwapPace.ts"

const STALLED_MILLIS_MIN = 600_000
const STALLED_ESTIMATES = 8
/** From then on a stalled swap needs review. */
const REVIEW_MILLIS = 86_400_000

type Maybe<A> = A | null | undefined

/** What is known of a swap's money. Amounts are in smallest units. */
export interface SwapMoney {
  /** As this answer has it. */
  readonly amountOut?: Maybe<string>
  readonly refundFee?: Maybe<string>
  /** As this answer or an earlier one had it. */
  readonly depositedAmount?: Maybe<string>
  readonly refundedAmount?: Maybe<string>
  readonly originTxs?: ReadonlyArray<{ readonly hash: string }>
  readonly destinationTxs?: ReadonlyArray<{ readonly hash: string }>
}

/** The input of a swap's outcome. Times are milliseconds since 1970. */
export interface SwapFacts {
  /** The upstream's status, unchanged. `undefined`: 404, it does not know the deposit address. */
  readonly upstreamStatus: string | undefined
  readonly money: SwapMoney
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
  /** A client reported a deposit that the upstream did not refuse to the end: it only keeps an unpaid swap from expiring yet. */
  readonly isReported: boolean
  /** The upstream itself has reported a deposit before. */
  readonly isDepositShown: boolean
  /** Smallest units of the destination asset that arrived, when known; `leastAmountOut` is what has to arrive at least. */
  readonly deliveredAmount: string | undefined
  readonly leastAmountOut: string
  readonly previous: Pick<SwapOutcome, "status" | "substatus">
  /** When this service last saw the upstream's answer change; the upstream's own `updatedAt` can freeze. */
  readonly lastChangeAtMillis: number
  readonly nowMillis: number
}

/** The state of a swap that its record shows, and whether to go on polling. */
export interface SwapOutcome {
  readonly status: BridgeSwap["status"]
  readonly substatus: SwapSubstatus
  /** Money is on its way and nothing has changed for longer than it should take. */
  readonly stalled: boolean
  /** An operator should contact the upstream's support, with the signed quote and the correlationId. */
  readonly needsReview: boolean
  /** The upstream itself reports a deposit, or has reported one before; never reset. */
  readonly isDepositShown: boolean
  /** Less was delivered than the quote allows. */
  readonly isShort: boolean
  /** Whether to go on polling the upstream. */
  readonly isWatched: boolean
  /** Smallest units of the origin asset that are missing; only with `incomplete`. */
  readonly missingAmount: string | null
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

const isMore = (amount: Maybe<string>): amount is string => BigInt(amount ?? "0") > 0n
const hasAny = (transactions: SwapMoney["originTxs"]): boolean => (transactions ?? []).length > 0

/** Transfers inside the swap service have no transaction on a chain: there the amount alone is proof. */
const isDelivered = ({ money: { amountOut, destinationTxs }, recipientType }: SwapFacts): boolean =>
  isMore(amountOut) || (recipientType === "DESTINATION_CHAIN" && hasAny(destinationTxs))

/** The whole deposit was refunded, less the refund's fee. */
const isRefundedInFull = ({ depositedAmount, refundedAmount, refundFee }: SwapMoney): boolean =>
  isMore(depositedAmount) &&
  isMore(refundedAmount) &&
  BigInt(refundedAmount) + BigInt(refundFee ?? "0") >= BigInt(depositedAmount)

type End = readonly [SwapOutcome["status"], SwapSubstatus]

/** What the upstream says once it has seen a deposit; SUCCESS needs evidence, and FAILED need not have seen one. */
const ENDS: ReadonlyMap<string | undefined, End> = new Map([
  ["KNOWN_DEPOSIT_TX", ["pending", "deposit_seen"]],
  ["PROCESSING", ["pending", "processing"]],
  ["INCOMPLETE_DEPOSIT", ["pending", "incomplete"]],
  ["REFUNDED", ["failed", "refunded"]],
  ["FAILED", ["failed", "failed"]],
])

/**
 * The upstream also says SUCCESS for swaps that it refunded in full, so evidence decides
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/20).
 */
const endOfSuccess = (facts: SwapFacts): End => {
  if (isDelivered(facts) && !isRefundedInFull(facts.money)) return ["success", "delivered"]
  return isMore(facts.money.refundedAmount) ? ["failed", "refunded"] : ["pending", "needs_review"]
}

const endWithoutNews = (facts: SwapFacts): End => {
  const { depositTxHashes, inactiveAtMillis, isDepositShown, isReported, money, previous } = facts
  if (previous.substatus === "processing" || previous.substatus === "incomplete") return ["pending", previous.substatus]
  if (isDepositShown || depositTxHashes.length > 0 || isMore(money.depositedAmount) || hasAny(money.originTxs))
    return ["pending", "deposit_seen"]
  const expiresAt = Math.min(facts.refundStartsAtMillis, inactiveAtMillis)
  // A reported deposit keeps an open swap from expiring until it is refused; an expired swap is reopened only by a real one.
  const mayBePaid = isReported && previous.substatus !== "expired"
  const end = mayBePaid ? followedUntil("awaiting_deposit", expiresAt, inactiveAtMillis) : expiresAt
  return facts.nowMillis >= end ? ["failed", "expired"] : ["pending", "awaiting_deposit"]
}

const endOf = (facts: SwapFacts): End => {
  const { previous, upstreamStatus } = facts
  const told = upstreamStatus === "SUCCESS" ? endOfSuccess(facts) : ENDS.get(upstreamStatus)
  // 404, PENDING_DEPOSIT and unknown statuses do not revoke an end that was seen; nor does a lagging replica revoke a proven one.
  const isSettled = previous.status !== "pending" && previous.substatus !== "expired"
  if (isSettled && (told === undefined || (told[0] === "pending" && previous.substatus !== "failed")))
    return [previous.status, previous.substatus]
  if (told !== undefined) return told
  return upstreamStatus === undefined || upstreamStatus === "PENDING_DEPOSIT"
    ? endWithoutNews(facts)
    : ["pending", "unknown"]
}

/** Nothing can change any more. */
const isProven = (facts: SwapFacts, substatus: SwapSubstatus): boolean =>
  substatus === "delivered"
    ? facts.recipientType === "INTENTS" || hasAny(facts.money.destinationTxs)
    : substatus === "refunded" && isMore(facts.money.refundedAmount)

/** How long an expected change is overdue, in milliseconds; 0 while it is in time. */
const lateMillis = (facts: SwapFacts, [status, substatus]: End): number => {
  if (status !== "pending" || substatus === "awaiting_deposit") return 0
  const allowed = Math.max(STALLED_MILLIS_MIN, STALLED_ESTIMATES * facts.timeEstimateSeconds * 1_000)
  // A deposit that is too small may be topped up until the refund starts.
  const from = substatus === "incomplete" ? facts.refundStartsAtMillis : -Infinity
  return Math.max(0, facts.nowMillis - Math.max(facts.lastChangeAtMillis, from) - allowed)
}

/**
 * Whether the upstream itself has seen a deposit. Anybody may report one, and it repeats unchecked the hashes that were submitted.
 */
const isDepositShown = ({ depositTxHashes, isDepositShown: before, money, upstreamStatus }: SwapFacts): boolean =>
  before ||
  upstreamStatus === "SUCCESS" ||
  (ENDS.has(upstreamStatus) && upstreamStatus !== "FAILED") ||
  isMore(money.depositedAmount) ||
  (money.originTxs ?? []).some(({ hash }) => !depositTxHashes.includes(hash))

const missingOf = ({ money, requiredAmount }: SwapFacts): string | null => {
  if (typeof money.depositedAmount !== "string") return null
  const missing = BigInt(requiredAmount) - BigInt(money.depositedAmount)
  return missing > 0n ? missing.toString() : null
}

/**
 * The outcome of a swap for any answer of the upstream. A refund is never a success; once a deposit is known, our clock
 * alone never makes a swap `failed`; and an end that evidence proves is not overturned by an answer without evidence.
 */
export const swapOutcome = (facts: SwapFacts): SwapOutcome => {
  const end = endOf(facts)
  const [status, substatus] = end
  const late = lateMillis(facts, end)
  const isWatched =
    !isProven(facts, substatus) &&
    facts.nowMillis < followedUntil(substatus, facts.lastChangeAtMillis, facts.inactiveAtMillis)
  const isShort =
    substatus === "delivered" &&
    facts.deliveredAmount !== undefined &&
    BigInt(facts.deliveredAmount) < BigInt(facts.leastAmountOut)
  return {
    status,
    substatus,
    stalled: late > 0 || substatus === "needs_review",
    needsReview:
      isShort ||
      (facts.upstreamStatus === "SUCCESS" && !(status === "success" && isDelivered(facts))) ||
      late > REVIEW_MILLIS ||
      (status === "pending" && !isWatched),
    isDepositShown: isDepositShown(facts),
    isShort,
    isWatched,
    missingAmount: substatus === "incomplete" ? missingOf(facts) : null,
  }
}
