/** Amounts and answers of a swap, as people write and read them. */
import type { Refusal } from "@launch-registry/client"
import { wholeAmount } from "../figures/Format.ts"

/** What was typed: an amount in smallest units, or what is wrong with it; neither while nothing was typed. */
export interface TypedAmount {
  readonly amount?: string
  readonly problem?: string
}

/** Amounts of the chain are 64 bits. */
const AMOUNT_MAX = 2n ** 64n - 1n

/** Reads an amount of whole tokens, exactly: no float is made of it. */
export const typedAmount = (text: string, decimals: number): TypedAmount => {
  const typed = text.trim()
  if (typed === "") return {}
  const [, whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?$/.exec(typed) ?? []
  if (whole === "" && fraction === "") return { problem: "Enter a number such as 1.5" }
  if (fraction.replace(/0+$/, "").length > decimals) return { problem: `It has ${decimals} decimal places at most` }
  const amount = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`)
  if (amount === 0n) return { problem: "Enter more than 0" }
  if (amount > AMOUNT_MAX)
    return { problem: `It is more than the chain can count (${wholeAmount(String(AMOUNT_MAX), decimals)})` }
  return { amount: String(amount) }
}

/** Reads a slippage in percent as basis points. */
export const slippageOf = (text: string): number | undefined => {
  const [, whole = "", fraction = ""] = /^(\d{1,3})(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole === "") return undefined
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, "0"))
  return bps <= 10_000 ? bps : undefined
}

/** 0.0123 is 1.23%. */
export const impactText = (impact: number): string => `${(impact * 100).toFixed(2).replace(/\.?0+$/, "")}%`

/** From this on an impact is pointed out. */
export const IMPACT_HIGH = 0.05

/** What a message of the service says without the smallest units that it adds in brackets. */
export const withoutUnits = (message: string): string => message.replaceAll(/ \(\d+\)/g, "")

/** What a message of a simulation says, with the symbol of the token. As text: `replaceAll` reads a `$` as a pattern. */
export const problemText = (message: string, mint: string, symbol: string): string =>
  withoutUnits(message).split(`of ${mint}`).join(symbol)

/** What a refusal of a quote, a build or a submission means, and what to do. */
export const refusalText = (refusal: Refusal): string => {
  const { code, message } = refusal
  const { details = {}, issues = [] } = refusal as {
    readonly details?: Readonly<Record<string, unknown>>
    readonly issues?: ReadonlyArray<{ readonly message: string }>
  }
  switch (code) {
    case "curve_completed":
      return details["isMigrated"] === true
        ? "The curve is complete and has migrated, but this registry does not find the pool yet. Try again in a moment."
        : "The curve is complete and waits for its migration: until then there are no swaps."
    case "invalid_request":
      return withoutUnits(issues.length === 0 ? message : issues.map((issue) => issue.message).join("; "))
    case "unreachable":
      return "The registry does not answer."
    default:
      return message
  }
}

/** What a wallet keeps when it buys with all that it has, in lamports: rent of the accounts that a swap opens, and fees. */
const LAMPORTS_KEPT = 10_000_000n

/** The most that a wallet with so many lamports can send; 0 where that is nothing. */
export const mostOf = (lamports: string): bigint => {
  const most = BigInt(lamports) - LAMPORTS_KEPT
  return most > 0n ? most : 0n
}
