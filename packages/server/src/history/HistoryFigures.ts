import { DurationHistogram } from "@launch-registry/postgres/DurationHistogram"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Effect } from "effect"

/** What history is read for. */
export const HISTORY_READS = ["trades", "candles", "analytics"] as const
export type HistoryRead = (typeof HISTORY_READS)[number]

const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Requests of one kind that this process sent to ClickHouse; those whose callers left are in neither count. */
interface ReadFigures {
  answered: number
  failed: number
  readonly durations: DurationHistogram
}

/** What has been counted, as metrics that are read on scrape. */
export const historyFigures = Effect.gen(function* () {
  const { counter, histogram } = yield* metricSeries
  const all = {} as Record<HistoryRead, ReadFigures>
  for (const read of HISTORY_READS) {
    const figures: ReadFigures = { answered: 0, failed: 0, durations: new DurationHistogram(BOUNDS_SECONDS) }
    all[read] = figures
    for (const outcome of ["answered", "failed"] as const)
      counter(
        "history_requests_total",
        "Requests that the API sent to the history in ClickHouse, by what they are for (trades, candles, analytics) and outcome (answered, failed)",
        { read, outcome },
        () => figures[outcome],
      )
    histogram(
      "history_request_duration_seconds",
      "Time in seconds until ClickHouse answered these requests, failed ones included",
      { read },
      BOUNDS_SECONDS,
      () => figures.durations,
    )
  }
  return all
})
