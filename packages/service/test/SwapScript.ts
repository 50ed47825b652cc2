import type { TimelineStep } from "../../bridge/test/IntentsTimeline.ts"

type Quote = Readonly<Record<string, unknown>>

/** The stored end of a swap, without its quote. */
export interface SwapEnd {
  readonly status: "pending" | "success" | "failed"
  readonly upstreamStatus: string | null
  readonly stalled?: true
  readonly needsReview?: true
  /** Whether it is still polled, eleven days later. */
  readonly isWatched?: true
  readonly depositedAmount?: unknown
  readonly missingAmount?: unknown
  readonly refundedAmount?: unknown
  readonly refundReason?: string
  /** When it differs from the quote. */
  readonly amountOut?: string
  readonly hasDelivery?: true
  /** How the swap service knows the deposit, unless by a report: from the chain, or not at all. */
  readonly deposit?: "seen" | "unseen"
}

/** The answers of the swap service, the actions of the client, and the expected result, by the mapping and written by hand. */
export interface SwapScript {
  readonly name: string
  /** Transfers that the client reports: none, one, or a second one after one that was too small. Late: after expiry. */
  readonly reports: 0 | 1 | 2 | "late"
  readonly fields?: Readonly<Record<string, unknown>>
  readonly says: (quote: Quote) => ReadonlyArray<TimelineStep>
  /** When the time to pay is over. */
  readonly saysLate?: (quote: Quote) => ReadonlyArray<TimelineStep>
  /** Substatuses that may be seen, in this order; any but the last may be missing. */
  readonly stages: ReadonlyArray<string>
  readonly end: (quote: Quote) => SwapEnd
}
