import type { TimelineStep } from "../../bridge/test/IntentsTimeline.ts"
import type { SwapEnd, SwapScript } from "./SwapScript.ts"
import {
  delivered,
  DELIVERY,
  type Details,
  less,
  paid,
  PART,
  REFUND_FEE,
  refunded,
  seen,
  settledOut,
  valued,
} from "./ScriptedDetails.ts"

type Quote = Readonly<Record<string, unknown>>

const says = (status: string, swapDetails?: Details, when: Partial<TimelineStep> = {}): TimelineStep => ({
  ...{ status, ...when },
  ...(swapDetails && { swapDetails }),
})
/** After the report of the deposit, and so many polls. */
const on = (afterPolls: number) => ({ afterSubmit: true, afterPolls })
const at = (afterPolls: number) => ({ afterPolls })

const AWAITED = "awaiting_deposit"
const SEEN = "deposit_seen"
const success = (quote: Quote): SwapEnd => ({
  ...{ status: "success", upstreamStatus: "SUCCESS", depositedAmount: quote.amountIn },
  ...{ amountOut: settledOut(quote), hasDelivery: true },
})
const sentBack = (quote: Quote, upstreamStatus = "REFUNDED"): SwapEnd => ({
  ...{ status: "failed", upstreamStatus, depositedAmount: quote.amountIn },
  ...{ refundedAmount: less(quote.amountIn, REFUND_FEE), refundReason: "SLIPPAGE" },
})
const stuck = (upstreamStatus: string, end: Partial<SwapEnd> = {}): SwapEnd => ({
  ...{ status: "pending", upstreamStatus, stalled: true, needsReview: true, isWatched: true },
  ...end,
})

export const SWAP_SCRIPTS: ReadonlyArray<SwapScript> = [
  {
    name: "paid, processed and delivered",
    reports: 1,
    says: (quote) => [
      says("KNOWN_DEPOSIT_TX", paid(quote), on(0)),
      says("PROCESSING", paid(quote), on(1)),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, on(2)),
    ],
    stages: [AWAITED, SEEN, "processing", "delivered"],
    end: success,
  },
  {
    name: "paid and never reported",
    reports: 0,
    says: (quote) => [
      says("KNOWN_DEPOSIT_TX", seen(quote), at(1)),
      says("PROCESSING", seen(quote), at(2)),
      says("SUCCESS", { ...seen(quote), ...delivered(quote) }, at(3)),
    ],
    stages: [AWAITED, SEEN, "processing", "delivered"],
    end: (quote) => ({ ...success(quote), deposit: "seen" }),
  },
  {
    name: "not known right after the deposit",
    reports: 1,
    says: (quote) => [
      says("404", undefined, on(0)),
      says("PROCESSING", paid(quote), on(2)),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, on(3)),
    ],
    stages: [AWAITED, SEEN, "processing", "delivered"],
    end: success,
  },
  {
    name: "paid in two parts",
    reports: 2,
    says: (quote) => [
      says("INCOMPLETE_DEPOSIT", paid(quote, PART), on(0)),
      says("PROCESSING", paid(quote), { ...on(1), afterSubmit: 2 }),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, { ...on(2), afterSubmit: 2 }),
    ],
    stages: [AWAITED, SEEN, "incomplete", "processing", "delivered"],
    end: success,
  },
  {
    name: "paid in part and sent back",
    reports: 1,
    says: (quote) => [
      says("INCOMPLETE_DEPOSIT", paid(quote, PART), on(0)),
      says("REFUNDED", { ...paid(quote, PART), refundedAmount: PART, refundReason: "PARTIAL_DEPOSIT" }, on(2)),
    ],
    stages: [AWAITED, SEEN, "incomplete", "refunded"],
    end: () => ({
      ...{ status: "failed", upstreamStatus: "REFUNDED" },
      ...{ depositedAmount: PART, refundedAmount: PART, refundReason: "PARTIAL_DEPOSIT" },
    }),
  },
  {
    name: "paid in part and forgotten",
    reports: 1,
    says: (quote) => [says("INCOMPLETE_DEPOSIT", paid(quote, PART), on(0))],
    stages: [AWAITED, SEEN, "incomplete"],
    end: ({ amountIn }) => stuck("INCOMPLETE_DEPOSIT", { depositedAmount: PART, missingAmount: less(amountIn, PART) }),
  },
  {
    name: "sent back",
    reports: 1,
    says: (quote) => [says("PROCESSING", paid(quote), on(0)), says("REFUNDED", refunded(quote), on(1))],
    stages: [AWAITED, SEEN, "processing", "refunded"],
    end: sentBack,
  },
  {
    name: "SUCCESS with everything sent back",
    reports: 1,
    says: (quote) => [says("PROCESSING", paid(quote), on(0)), says("SUCCESS", refunded(quote), on(1))],
    stages: [AWAITED, SEEN, "processing", "refunded"],
    end: (quote) => ({ ...sentBack(quote, "SUCCESS"), needsReview: true }),
  },
  {
    name: "SUCCESS that shows nothing",
    reports: 1,
    says: () => [says("SUCCESS", undefined, on(1))],
    stages: [AWAITED, SEEN, "needs_review"],
    end: () => stuck("SUCCESS"),
  },
  {
    name: "SUCCESS that shows its delivery later",
    reports: 1,
    says: (quote) => [
      says("SUCCESS", paid(quote), on(1)),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, on(2)),
    ],
    stages: [AWAITED, SEEN, "needs_review", "delivered"],
    end: success,
  },
  {
    name: "FAILED, then sent back",
    reports: 1,
    says: (quote) => [says("FAILED", paid(quote), on(0)), says("REFUNDED", refunded(quote), on(2))],
    stages: [AWAITED, SEEN, "failed", "refunded"],
    end: sentBack,
  },
  {
    name: "FAILED for good",
    reports: 1,
    says: (quote) => [says("PROCESSING", paid(quote), on(0)), says("FAILED", paid(quote), on(1))],
    stages: [AWAITED, SEEN, "processing", "failed"],
    end: ({ amountIn }) => ({ status: "failed", upstreamStatus: "FAILED", depositedAmount: amountIn }),
  },
  {
    name: "an unknown status, then delivered",
    reports: 1,
    says: (quote) => [
      says("PAUSED_BY_SOLVER", paid(quote), on(0)),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, on(2)),
    ],
    stages: [AWAITED, SEEN, "unknown", "delivered"],
    end: success,
  },
  {
    name: "an unknown status, for good",
    reports: 1,
    says: (quote) => [says("HALTED", paid(quote), on(0))],
    stages: [AWAITED, SEEN, "unknown"],
    end: ({ amountIn }) => stuck("HALTED", { depositedAmount: amountIn }),
  },
  {
    name: "never paid",
    reports: 0,
    says: () => [says("404", undefined, at(0)), says("PENDING_DEPOSIT", undefined, at(1))],
    stages: [AWAITED, "expired"],
    end: () => ({ status: "failed", upstreamStatus: "PENDING_DEPOSIT" }),
  },
  {
    name: "paid too late and sent back",
    reports: "late",
    says: () => [],
    saysLate: (quote) => [says("PROCESSING", paid(quote), on(0)), says("REFUNDED", refunded(quote), on(1))],
    stages: [AWAITED, "expired", SEEN, "processing", "refunded"],
    end: sentBack,
  },
  {
    name: "paid too late, not reported, and delivered all the same",
    reports: 0,
    says: () => [],
    saysLate: (quote) => [
      says("KNOWN_DEPOSIT_TX", seen(quote), at(0)),
      says("SUCCESS", { ...seen(quote), ...delivered(quote) }, at(1)),
    ],
    stages: [AWAITED, "expired", SEEN, "delivered"],
    end: (quote) => ({ ...success(quote), deposit: "seen" }),
  },
  {
    name: "processed without an end",
    reports: 1,
    says: (quote) => [says("PROCESSING", paid(quote), on(0))],
    stages: [AWAITED, SEEN, "processing"],
    end: ({ amountIn }) => stuck("PROCESSING", { depositedAmount: amountIn }),
  },
  {
    name: "reported and never seen by the swap service",
    reports: 1,
    says: () => [says("PENDING_DEPOSIT", { originChainTxHashes: [] }, at(0))],
    stages: [AWAITED, SEEN],
    end: () => stuck("PENDING_DEPOSIT", { deposit: "unseen" }),
  },
  {
    name: "delivered by its amount, then PROCESSING once more, then with its hash",
    reports: 1,
    says: (quote) => [
      says("SUCCESS", { ...paid(quote), ...valued(quote) }, on(0)),
      says("PROCESSING", paid(quote), on(1)),
      says("SUCCESS", { ...paid(quote), ...delivered(quote) }, on(3)),
    ],
    // A process that is killed at the first answer sees the second one first; never the other way round.
    stages: [AWAITED, SEEN, "processing", "delivered"],
    end: success,
  },
  {
    name: "delivered, and what was too much sent back",
    reports: 1,
    fields: { swapType: "EXACT_OUTPUT" },
    says: (quote) => [
      says("PROCESSING", paid(quote), on(0)),
      says(
        "SUCCESS",
        { ...paid(quote), ...delivered(quote), amountOut: quote.amountOut, refundedAmount: "500000" },
        on(1),
      ),
    ],
    stages: [AWAITED, SEEN, "processing", "delivered"],
    end: (quote) => ({ ...success(quote), amountOut: String(quote.amountOut), refundedAmount: "500000" }),
  },
  {
    name: "delivered inside of the swap service",
    reports: 1,
    fields: { recipientType: "INTENTS", recipient: "somebody.near" },
    says: (quote) => [says("SUCCESS", { ...paid(quote), ...valued(quote) }, on(1))],
    stages: [AWAITED, SEEN, "delivered"],
    end: ({ amountIn, amountOut }) => ({
      ...{ status: "success", upstreamStatus: "SUCCESS", depositedAmount: amountIn },
      amountOut: less(amountOut, "7"),
    }),
  },
  {
    name: "a hash without an amount inside of the swap service",
    reports: 1,
    fields: { recipientType: "INTENTS", recipient: "somebody.near" },
    says: (quote) => [says("SUCCESS", { ...paid(quote), destinationChainTxHashes: [DELIVERY] }, on(1))],
    stages: [AWAITED, SEEN, "needs_review"],
    end: ({ amountIn }) => stuck("SUCCESS", { depositedAmount: amountIn, hasDelivery: true }),
  },
  {
    name: "sent back without an amount, which comes later",
    reports: 1,
    says: (quote) => [says("REFUNDED", paid(quote), on(0)), says("REFUNDED", refunded(quote), on(2))],
    stages: [AWAITED, SEEN, "refunded"],
    end: sentBack,
  },
  {
    name: "delivered and refunded at once",
    reports: 1,
    says: (quote) => [says("SUCCESS", { ...delivered(quote), ...refunded(quote) }, on(0))],
    stages: [AWAITED, SEEN, "needs_review"],
    end: ({ amountIn }) =>
      stuck("SUCCESS", {
        ...{ depositedAmount: amountIn, refundedAmount: less(amountIn, REFUND_FEE), refundReason: "SLIPPAGE" },
        hasDelivery: true,
      }),
  },
]
