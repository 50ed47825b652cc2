import type { TimelineStep } from "../../bridge/test/IntentsTimeline.ts"

type Quote = Readonly<Record<string, unknown>>

/** The stored end of a swap, without its quote. */
export interface SwapEnd {
  readonly status: "pending" | "success" | "failed"
  readonly upstreamStatus: string | null
  readonly stalled?: true
  readonly needsReview?: true
  /** Whether the swap service is still asked, eleven days later. */
  readonly isWatched?: true
  readonly depositedAmount?: unknown
  readonly missingAmount?: unknown
  readonly refundedAmount?: unknown
  readonly refundReason?: string
  /** When it is not what was quoted. */
  readonly amountOut?: string
  readonly hasDelivery?: true
  /** Where the swap service has the deposit from, when not from the reports: from the chain, or it has not seen it. */
  readonly deposit?: "seen" | "unseen"
}

/** What the swap service says of a swap, what its client does, and what comes of it: by the mapping, written by hand. */
export interface SwapScript {
  readonly name: string
  /** Transfers that the client reports: none, one, or another one once the first was too small. Late: after it expired. */
  readonly reports: 0 | 1 | 2 | "late"
  readonly fields?: Readonly<Record<string, unknown>>
  readonly says: (quote: Quote) => ReadonlyArray<TimelineStep>
  /** From when the time to pay is over. */
  readonly saysLate?: (quote: Quote) => ReadonlyArray<TimelineStep>
  /** Substatuses that may be seen, in this order; any but the last may be missed. */
  readonly stages: ReadonlyArray<string>
  readonly end: (quote: Quote) => SwapEnd
}
