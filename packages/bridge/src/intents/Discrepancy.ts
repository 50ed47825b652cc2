/** One thing by which a quote is not the one that was asked for. Values are left out: they are of the upstream. */
export interface Discrepancy {
  /** Of the response, such as `quoteRequest.recipient`. */
  readonly field: string
  readonly problem: "different" | "missing" | "added" | "inconsistent" | "past" | "stale" | "unsound"
  /** Whether nobody may pay it: money could go elsewhere, or nowhere. The others are worth a line in a log. */
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
