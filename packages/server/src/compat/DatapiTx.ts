import { wholeTokens } from "@launch-registry/chain/venues/Prices"
import type { Trade } from "@launch-registry/domain/launch/TradeList"

/** A trade of a list, or of the stream. */
type Traded = Pick<
  Trade,
  "signature" | "time" | "trader" | "side" | "baseAmount" | "mintAddress" | "priceUsd" | "quoteAmountUsd"
>

/**
 * A trade as the template's `Tx`, of a token with `decimals`. Its code needs a `usdVolume`, and draws no bar of a trade whose price is not
 * valid: where the dollars are not known the volume is 0.
 */
export const toTx = (trade: Traded, decimals: number | undefined) => {
  const { priceUsd, quoteAmountUsd } = trade
  return {
    timestamp: trade.time,
    type: trade.side === "BUY" ? "buy" : "sell",
    usdPrice: priceUsd === null ? undefined : Number(priceUsd),
    usdVolume: Number(quoteAmountUsd ?? 0),
    amount: decimals === undefined ? undefined : Number(wholeTokens(BigInt(trade.baseAmount), decimals)),
    traderAddress: trade.trader,
    txHash: trade.signature,
    asset: trade.mintAddress,
    isMev: false,
    isValidPrice: priceUsd !== null,
  }
}
