import {
  amountInUsd,
  marketCapInQuote,
  marketCapInUsd,
  priceInQuote,
  priceInUsd,
} from "@launch-registry/chain/venues/Prices"
import type { Candle, CandleFigure } from "@launch-registry/domain/launch/Candle"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { CandleRow, UsdCandleRow } from "./CandleRows.ts"
import type { FigureUnits, Units } from "./PriceUnits.ts"

/** A price as it is stored, as people read it. */
type Show = (stored: bigint) => string

export const priceOf =
  ({ baseDecimals, quoteDecimals }: Units): Show =>
  (sqrtPrice) =>
    priceInQuote(sqrtPrice, baseDecimals, quoteDecimals)

export const marketCapOf =
  ({ quoteDecimals, supply }: Pick<FigureUnits, "quoteDecimals" | "supply">): Show =>
  (sqrtPrice) =>
    marketCapInQuote(sqrtPrice, supply, quoteDecimals)

export const toCandle =
  (show: Show) =>
  ({ start, trades, ...row }: CandleRow): Candle => ({
    time: timestampOf(start),
    open: show(BigInt(row.open)),
    high: show(BigInt(row.high)),
    low: show(BigInt(row.low)),
    close: show(BigInt(row.close)),
    baseVolume: row.baseVolume,
    quoteVolume: row.quoteVolume,
    trades: Number(trades),
  })

export const isInUsd = (figure: CandleFigure): figure is "priceUsd" | "marketCapUsd" =>
  figure === "priceUsd" || figure === "marketCapUsd"

export const toUsdCandle = (
  figure: "priceUsd" | "marketCapUsd",
  { baseDecimals, quoteDecimals, supply }: Omit<FigureUnits, "quoteMint">,
) => {
  const candle = toCandle((squareUsd) =>
    figure === "priceUsd"
      ? priceInUsd(squareUsd, baseDecimals, quoteDecimals)
      : marketCapInUsd(squareUsd, supply, quoteDecimals),
  )
  return (row: UsdCandleRow): Candle => ({
    ...candle(row),
    volumeUsd: amountInUsd(BigInt(row.volumeUsd), quoteDecimals),
  })
}
