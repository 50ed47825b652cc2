import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const OUTCOMES = ["stored", "failed"] as const
type Outcome = (typeof OUTCOMES)[number]

/** Refreshes of prices that this process did. */
export class PriceFigures extends Context.Service<
  PriceFigures,
  { readonly count: (outcome: Outcome) => void; readonly of: (outcome: Outcome) => number }
>()("@launch-registry/server/prices/PriceFigures") {
  static readonly layer = Layer.sync(PriceFigures, () => {
    const counts = { stored: 0, failed: 0 }
    return PriceFigures.of({ of: (outcome) => counts[outcome], count: (outcome) => void counts[outcome]++ })
  })
}

/** Shows them, in a process that has a source of prices. */
export const priceMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const figures = yield* PriceFigures
    const { counter } = yield* metricSeries
    for (const outcome of OUTCOMES)
      counter(
        "usd_price_refreshes_total",
        "Refreshes of the prices of quote tokens in US dollars that this process did, by outcome (stored; failed: the source did not answer, or not as it should)",
        { outcome },
        () => figures.of(outcome),
      )
  }),
)

/** Seconds since prices in US dollars were last stored. */
export const readPriceAge = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly seconds: number }>`
      select extract(epoch from greatest(now() - done_at, '0'))::float8 as seconds from server_progress where name = 'prices'`,
    ([row]) => row?.seconds ?? null,
  )
