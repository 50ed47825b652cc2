import {
  amountInUsd,
  marketCapInQuote,
  marketCapInUsd,
  priceInQuote,
  priceInUsd,
} from "@launch-registry/chain/venues/Prices"
import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import type { Candle, CandleFigure } from "@launch-registry/domain/launch/Candle"
import { candlesIn } from "@launch-registry/domain/launch/StoredCandle"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HasUsdPrices } from "../prices/QuotePrices.ts"
import { History } from "../history/History.ts"
import { withOlderCandles } from "../history/WithOlderCandles.ts"
import { type CandleRange, type CandleRow, candleRows } from "../history/CandleRows.ts"
import { type FigureUnits, priceUnits } from "../markets/PriceUnits.ts"

/** A stored price as people read it. */
type Show = (stored: bigint, units: Omit<FigureUnits, "quoteMint">) => string

const SHOWN: Readonly<Record<CandleFigure, Show>> = {
  price: (sqrtPrice, { baseDecimals, quoteDecimals }) => priceInQuote(sqrtPrice, baseDecimals, quoteDecimals),
  marketCap: (sqrtPrice, { quoteDecimals, supply }) => marketCapInQuote(sqrtPrice, supply, quoteDecimals),
  priceUsd: (squareUsd, { baseDecimals, quoteDecimals }) => priceInUsd(squareUsd, baseDecimals, quoteDecimals),
  marketCapUsd: (squareUsd, { quoteDecimals, supply }) => marketCapInUsd(squareUsd, supply, quoteDecimals),
}

const toCandle =
  (figure: CandleFigure, units: Omit<FigureUnits, "quoteMint">) =>
  ({ start, trades, volumeUsd, ...row }: CandleRow): Candle => {
    const show = (stored: string) => SHOWN[figure](BigInt(stored), units)
    return {
      time: timestampOf(start),
      open: show(row.open),
      high: show(row.high),
      low: show(row.low),
      close: show(row.close),
      baseVolume: row.baseVolume,
      quoteVolume: row.quoteVolume,
      trades: Number(trades),
      ...(volumeUsd !== null && { volumeUsd: amountInUsd(BigInt(volumeUsd), units.quoteDecimals) }),
    }
  }

/** Reads candles of a pool, merged from those that the indexer stores; oldest first. */
export const readCandles = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { find, findForFigures, requirePool } = yield* priceUnits
  const history = yield* History
  const hasUsdPrices = yield* HasUsdPrices

  return Effect.fn("readCandles")(function* (baseMint: string, range: CandleRange) {
    const { figure } = range
    const isInUsd = figure === "priceUsd" || figure === "marketCapUsd"
    if (isInUsd && !hasUsdPrices)
      return yield* new NotConfigured({ feature: "usd_prices", reason: "PRICE_URL is not set" })
    const ofQuote = isInUsd ? yield* findForFigures(baseMint) : undefined
    const bounded = { ...range, limit: candlesIn(range.interval, range.limit) }
    const rows = yield* withOlderCandles(sql, history, baseMint, bounded, (part, stored) =>
      candleRows(sql, part, stored, ofQuote?.quoteMint),
    ).pipe(Effect.catchTag("SqlError", Effect.die))
    if (rows.length === 0) {
      if (ofQuote === undefined) yield* requirePool(baseMint)
      return []
    }
    const units =
      ofQuote ?? (figure === "price" ? { ...(yield* find(baseMint)), supply: 0n } : yield* findForFigures(baseMint))
    return rows
      .filter(({ isKnown }) => isKnown)
      .toReversed()
      .map(toCandle(figure, units))
  })
})
