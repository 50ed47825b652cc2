/** The least amount that the service swaps. Only its refusals state it, in one of two units. */
export interface MinimumAmount {
  /** Smallest units of the asset whose amount was given. */
  readonly minimumAmount?: string
  /** USD, a plain decimal. */
  readonly minimumAmountUsd?: string
}

/** "Amount is too low for bridge, try at least 8516130". */
const OF_UNITS = /\btoo low\b.*?\bat least (\d{1,78})(?![\d.,]*\d)/i

/** "Temporary swap limits: minimum swap amount is $1,000". */
const OF_USD = /\bminimum (?:swap )?amount is (?:USD )?\$\s?(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,6})?(?![\d,.]*\d)/i

/** The least amount named in the texts of a refusal; empty when there is none. */
export const minimumAmountOf = (messages: ReadonlyArray<string>): MinimumAmount => {
  const text = messages.join("\n")
  const units = OF_UNITS.exec(text)?.[1]?.replace(/^0+(?=\d)/, "")
  const usd = OF_USD.exec(text)
  return {
    ...(units === undefined ? {} : { minimumAmount: units }),
    ...(usd === null ? {} : { minimumAmountUsd: usd[1]!.replaceAll(",", "") + (usd[2] ?? "") }),
  }
}
