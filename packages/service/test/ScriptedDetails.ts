type Quote = Readonly<Record<string, unknown>>
/** `swapDetails` of the swap service. */
export type Details = Readonly<Record<string, unknown>>

/** A transfer that the swap service finds by itself. */
export const SEEN_HASH = "seen9dUVb7UkJ5mP1XbYv3jQwVcn4YDxq2p7kq8YyqY8PzWz"
export const DELIVERY = {
  hash: "delivery7UkJ5mP1XbYv3jQwVcn4YDxq2p7kq8YyqY8PzWz",
  explorerUrl: "https://explorer.test/tx/d",
}
export const PART = "60000000"
export const REFUND_FEE = "1900"

export const less = (amount: unknown, by: string): string => (BigInt(String(amount)) - BigInt(by)).toString()
export const paid = ({ amountIn }: Quote, amount: unknown = amountIn): Details => ({ depositedAmount: amount })
/** A transfer that nobody reported. */
export const seen = (quote: Quote): Details => ({ ...paid(quote), originChainTxHashes: [{ hash: SEEN_HASH }] })
export const settledOut = ({ amountOut }: Quote): string => less(amountOut, "7")
export const valued = (quote: Quote): Details => ({ amountIn: quote.amountIn, amountOut: settledOut(quote) })
export const delivered = (quote: Quote): Details => ({ ...valued(quote), destinationChainTxHashes: [DELIVERY] })
export const refunded = (quote: Quote): Details => ({
  ...paid(quote),
  ...{ refundedAmount: less(quote.amountIn, REFUND_FEE), refundFee: REFUND_FEE, refundReason: "SLIPPAGE" },
})
