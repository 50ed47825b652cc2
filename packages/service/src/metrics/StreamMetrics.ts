import { ChangeFeed } from "@launch-registry/server/stream/ChangeFeed"
import { Effect, Layer } from "effect"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"

/** How many read the event stream of this process. */
export const streamMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const feed = yield* ChangeFeed
    const { gauge } = yield* metricSeries
    gauge("stream_subscribers", "Subscribers of the event stream of this process", {}, () => feed.subscribers())
  }),
)
