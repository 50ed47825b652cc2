/** One difference between a quote and its request. Holds no values, because they come from the upstream. */
export interface Discrepancy {
  /** Of the response, such as `quoteRequest.recipient`. */
  readonly field: string
  readonly problem: "different" | "missing" | "added" | "inconsistent" | "past" | "stale" | "unsound"
  /** Whether the quote must not be paid, because money could be lost. Other discrepancies are only logged. */
  readonly isFatal: boolean
}

export const fatal = (field: string, problem: Discrepancy["problem"]): Discrepancy => ({
  field,
  problem,
  isFatal: true,
})

export const harmless = (field: string, problem: Discrepancy["problem"]): Discrepancy => ({
  field,
  problem,
  isFatal: false,
})
