import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HasUsdPrices } from "../prices/QuotePrices.ts"
import { isInUsd, marketCapOf, priceOf, toCandle, toUsdCandle } from "./CandleFigures.ts"
import { History } from "../history/History.ts"
import { withOlderCandles } from "../history/WithOlderCandles.ts"
import { type CandleRange, candleRows, usdCandleRows } from "./CandleRows.ts"
import { priceUnits } from "./PriceUnits.ts"

/** Reads candles of a pool, merged from those that the indexer stores; oldest first. */
export const readCandles = Effect.gen(function* () {
  const sql = yield* SqlClient
  const units = yield* priceUnits
  const history = yield* History
  const hasUsdPrices = yield* HasUsdPrices

  return Effect.fn("readCandles")(function* (baseMint: string, range: CandleRange) {
    const { figure } = range
    if (isInUsd(figure)) {
      if (!hasUsdPrices) return yield* new NotConfigured({ feature: "usd_prices", reason: "PRICE_URL is not set" })
      const { quoteMint, ...figureUnits } = yield* units.findForFigures(baseMint)
      const rows = yield* withOlderCandles(sql, history, baseMint, range, (range, stored) =>
        usdCandleRows(sql, quoteMint, range, stored),
      ).pipe(Effect.catchTag("SqlError", Effect.die))
      return rows
        .filter(({ isKnown }) => isKnown)
        .toReversed()
        .map(toUsdCandle(figure, figureUnits))
    }
    const rows = yield* withOlderCandles(sql, history, baseMint, range, (range, stored) =>
      candleRows(sql, range, stored),
    ).pipe(Effect.catchTag("SqlError", Effect.die))
    if (rows.length === 0) {
      yield* units.requirePool(baseMint)
      return []
    }
    return rows
      .toReversed()
      .map(
        toCandle(
          figure === "price"
            ? priceOf(yield* units.find(baseMint))
            : marketCapOf(yield* units.findForFigures(baseMint)),
        ),
      )
  })
})
