import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Context, Effect, Layer } from "effect"
import type { DocumentFault } from "./GetDocument.ts"

const FAULTS = [
  ...(["timeout", "dns", "refused_address", "connection", "tls"] as const),
  ...(["status", "redirect", "encoded", "too_large", "malformed"] as const),
] satisfies ReadonlyArray<DocumentFault>
const OUTCOMES = ["fetched", ...FAULTS] as const
type Outcome = (typeof OUTCOMES)[number]

/** Attempts of this process to fetch metadata documents. */
export class FetchFigures extends Context.Service<
  FetchFigures,
  { readonly count: (outcome: Outcome) => void; readonly of: (outcome: Outcome) => number }
>()("@launch-registry/server/metadata/FetchFigures") {
  static readonly layer = Layer.sync(FetchFigures, () => {
    const counts = new Map<Outcome, number>()
    const of = (outcome: Outcome) => counts.get(outcome) ?? 0
    return FetchFigures.of({ of, count: (outcome) => void counts.set(outcome, of(outcome) + 1) })
  })
}

/** Shows them, in a process that fetches. */
export const fetchMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const figures = yield* FetchFigures
    const { counter } = yield* metricSeries
    for (const outcome of OUTCOMES)
      counter(
        "metadata_fetches_total",
        "Attempts of this process to fetch a metadata document, by outcome (fetched; status: not 200; encoded: compressed; too_large: above 64 KB; malformed: no JSON object)",
        { outcome },
        () => figures.of(outcome),
      )
  }),
)
