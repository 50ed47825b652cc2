import type { NotFound } from "@launch-registry/domain/http/NotFound"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import type { Candle } from "@launch-registry/domain/launch/Candle"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HasUsdPrices } from "../prices/QuotePrices.ts"
import { isInUsd, marketCapOf, priceOf, toCandle, toUsdCandle } from "./CandleFigures.ts"
import { History } from "../history/History.ts"
import { withOlderCandles } from "../history/WithOlderCandles.ts"
import { type CandleRange, candleRows, usdCandleRows } from "./CandleRows.ts"
import { PriceUnits } from "./PriceUnits.ts"

/** Candles of a pool, merged from those that the indexer stores. */
export class Candles extends Context.Service<
  Candles,
  {
    /** Oldest first. */
    readonly list: (
      baseMint: string,
      range: CandleRange,
    ) => Effect.Effect<ReadonlyArray<Candle>, NotFound | Unavailable | NotConfigured>
  }
>()("@launch-registry/server/launch/Candles") {
  static readonly layer = Layer.effect(
    Candles,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const units = yield* PriceUnits
      const history = yield* History
      const hasUsdPrices = yield* HasUsdPrices

      const list = Effect.fn("Candles.list")(function* (baseMint: string, range: CandleRange) {
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

      return Candles.of({ list })
    }),
  )
}
