import type { WalletToken } from "@launch-registry/client"
import { symbolOf, unitOf, wholeAmount } from "../figures/Format.ts"
import { SOL_DECIMALS } from "../figures/Sol.ts"

/** A decimal string and its unit: `$`, `SOL`, or another token. */
export interface Amount {
  readonly value: string
  readonly unit: string
}

const placesOf = (text: string): number => text.split(".")[1]?.length ?? 0

/** The sum of decimal strings, exactly. */
export const sumOf = (values: ReadonlyArray<string>): string => {
  const places = Math.max(0, ...values.map(placesOf))
  const total = values.reduce((sum, text) => {
    const [whole = "", fraction = ""] = text.split(".")
    return sum + BigInt(whole + fraction.padEnd(places, "0"))
  }, 0n)
  const size = wholeAmount(String(total < 0n ? -total : total), places)
  return total < 0n ? `-${size}` : size
}

/** One amount for each unit, in the order in which the units come. */
export const sumsOf = (amounts: ReadonlyArray<Amount>): ReadonlyArray<Amount> => {
  const byUnit = new Map<string, Array<string>>()
  for (const { unit, value } of amounts) byUnit.set(unit, [...(byUnit.get(unit) ?? []), value])
  return Array.from(byUnit, ([unit, values]) => ({ unit, value: sumOf(values) }))
}

const isHeld = ({ amount }: WalletToken): boolean => amount !== "0"

/** What is held, or might be: where the chain could not be asked, nothing is known of any. */
export const held = (tokens: ReadonlyArray<WalletToken>): ReadonlyArray<WalletToken> => tokens.filter(isHeld)

/** What tokens are worth: in dollars where all prices in dollars are known. `isWhole`: the value of none is missing. */
export const worthOf = (
  tokens: ReadonlyArray<WalletToken>,
): { readonly sums: ReadonlyArray<Amount>; readonly isWhole: boolean } => {
  const known = tokens.filter(({ value }) => value !== null)
  const inDollars = known.flatMap(({ valueUsd }) => (valueUsd === null ? [] : [{ unit: "$", value: valueUsd }]))
  const inQuote = known.map(({ market, value }) => ({ unit: unitOf(market.quoteMint), value: value! }))
  return {
    sums: sumsOf(inDollars.length === known.length ? inDollars : inQuote),
    isWhole: known.length === tokens.length,
  }
}

/** What a token has brought, in quote tokens: its value and what sales gave, less what buys took. Null while not known. */
export const resultOf = ({ bought, market, sold, trades, value }: WalletToken): string | null => {
  if (value === null || market.quoteDecimals === null || trades === 0) return null
  const whole = (amount: string): string => wholeAmount(amount, market.quoteDecimals!)
  return sumOf([value, whole(sold.quoteAmount), `-${whole(bought.quoteAmount)}`])
}

/** What a wallet can claim of a token now. */
export interface Claim {
  readonly mint: string
  readonly symbol: string
  readonly amounts: ReadonlyArray<Amount>
}

/** What can be claimed, token by token; a token whose fees could not be read is not among them. */
export const claimsOf = (tokens: ReadonlyArray<WalletToken>): ReadonlyArray<Claim> =>
  tokens.flatMap(({ claimable, decimals, market, mintAddress, token }) => {
    const amounts = (claimable ?? []).flatMap(({ baseAmount, lamports, quoteAmount, state }) => {
      if (state !== "claimable") return []
      const parts = [
        { amount: quoteAmount, places: market.quoteDecimals, unit: unitOf(market.quoteMint) },
        { amount: lamports, places: SOL_DECIMALS, unit: "SOL" },
        { amount: baseAmount, places: decimals, unit: symbolOf(token.symbol, mintAddress) },
      ]
      return parts.flatMap(({ amount, places, unit }) =>
        amount === "0" || places === null ? [] : [{ unit, value: wholeAmount(amount, places) }],
      )
    })
    return amounts.length === 0 ? [] : [{ mint: mintAddress, symbol: token.symbol, amounts: sumsOf(amounts) }]
  })
