import { addressKey } from "@launch-registry/domain/bridge/AddressKey"

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The field that shows that a state belongs to another swap: a state repeats its quote, with address and memo.
 * `undefined` when they match or are missing; null and empty count as missing.
 */
export const strayField = (
  quoteResponse: unknown,
  swap: { readonly depositAddress: string; readonly depositMemo: string | undefined },
): string | undefined => {
  const quote = isObject(quoteResponse) ? quoteResponse.quote : undefined
  if (!isObject(quote)) return undefined
  const { depositAddress, depositMemo } = quote
  const isSaid = (value: unknown) => value !== undefined && value !== null && value !== ""
  const isAddress = typeof depositAddress === "string" && addressKey(depositAddress) === addressKey(swap.depositAddress)
  if (isSaid(depositAddress) && !isAddress) return "quoteResponse.quote.depositAddress"
  return isSaid(depositMemo) && depositMemo !== swap.depositMemo ? "quoteResponse.quote.depositMemo" : undefined
}
