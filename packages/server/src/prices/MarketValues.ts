import { amountInUsd, marketCapInUsd, priceInUsd, wholeTokens } from "@launch-registry/chain/venues/Prices"
import type { Market } from "@launch-registry/domain/pools/Market"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { QuotePrice } from "./QuotePrices.ts"

/** What the values of a market are computed from; null while it is not known. */
interface MarketFacts extends QuotePrice {
  readonly sqrtPrice: string | null
  readonly supply: string | null
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  readonly venue: Venue | null
  /** Quote tokens raised on the curve, in smallest units. */
  readonly quoteReserve: string | null
  /** Quote tokens of the AMM pool after its last trade, in smallest units. */
  readonly venueReserve: string | null
}

/** Quote tokens that the liquidity of a pool is worth, in smallest units. */
const liquidityOf = ({ quoteReserve, venue, venueReserve }: MarketFacts): bigint | null => {
  if (venue === null || venue === "dbc") return quoteReserve === null ? null : BigInt(quoteReserve)
  return venueReserve === null ? null : 2n * BigInt(venueReserve)
}

/** Liquidity, and the figures in US dollars. */
export const marketValues = (
  facts: MarketFacts,
): Pick<Market, "liquidity" | "priceUsd" | "marketCapUsd" | "liquidityUsd" | "usdAsOf" | "usdStale"> => {
  const { baseDecimals, quoteDecimals, quoteUsd, sqrtPrice, supply, usdAsOf, usdStale } = facts
  const liquidity = quoteDecimals === null ? null : liquidityOf(facts)
  const usd = quoteUsd === null || quoteDecimals === null ? null : BigInt(quoteUsd)
  const squareUsd = sqrtPrice === null || usd === null ? null : BigInt(sqrtPrice) ** 2n * usd
  return {
    liquidity: liquidity === null ? null : wholeTokens(liquidity, quoteDecimals!),
    priceUsd: squareUsd === null || baseDecimals === null ? null : priceInUsd(squareUsd, baseDecimals, quoteDecimals!),
    marketCapUsd:
      squareUsd === null || supply === null ? null : marketCapInUsd(squareUsd, BigInt(supply), quoteDecimals!),
    liquidityUsd: liquidity === null || usd === null ? null : amountInUsd(liquidity * usd, quoteDecimals!),
    usdAsOf: usdAsOf?.toISOString() ?? null,
    usdStale,
  }
}
