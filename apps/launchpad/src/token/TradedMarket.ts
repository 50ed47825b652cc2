import type { Market, TradeSeen } from "@launch-registry/client"

/** A market after a trade of the stream, unless it was read after it. What the trade does not say is as it was read. */
export const tradedMarket = (market: Market, newest: TradeSeen | undefined): Market => {
  if (newest === undefined || (market.lastTradeAt !== null && newest.time < market.lastTradeAt)) return market
  const isSame = newest.price === market.price
  return {
    ...market,
    price: newest.price ?? market.price,
    marketCap: newest.marketCap ?? market.marketCap,
    // Those that were read are of the price before.
    priceUsd: newest.priceUsd ?? (isSame ? market.priceUsd : null),
    marketCapUsd: isSame ? market.marketCapUsd : null,
    quoteProgress: newest.quoteProgress ?? market.quoteProgress,
    quoteReserve: (newest.venue === "dbc" ? newest.quoteReserve : null) ?? market.quoteReserve,
    lastTradeAt: newest.time,
  }
}
