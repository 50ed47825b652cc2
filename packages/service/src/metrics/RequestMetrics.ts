import {
  DURATION_BOUNDS_SECONDS,
  RequestFigures,
  RequestFiguresOfServer,
  type RouteFigures,
} from "@launch-registry/http/listener/RequestFigures"
import { Effect, Layer } from "effect"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"

/** Counts the requests of the server, with a series for each method and route that was asked for. */
export const requestMetrics = Layer.effect(
  RequestFiguresOfServer,
  Effect.gen(function* () {
    const series = yield* metricSeries
    const figures = new RequestFigures()
    series.gauge("http_requests_in_flight", "Requests being served, event streams included", {}, () => figures.inFlight)
    figures.onNew = (each: RouteFigures, status) => {
      const { byStatus, method, route } = each
      const labels = { method, route }
      series.counter(
        "http_requests_total",
        "Requests by declared path (unmatched for all others), method and status; 499: the client closed the connection before the response",
        { ...labels, status: String(status) },
        () => byStatus.get(status)!,
      )
      if (byStatus.size > 1) return
      series.histogram(
        "http_request_duration_seconds",
        "Time in seconds from a request's headers until its response was sent; of /api/stream until it ended",
        labels,
        DURATION_BOUNDS_SECONDS,
        () => each.durations,
      )
    }
    figures.onNewRefusal = (route, reason, count) =>
      series.counter(
        "http_refusals_total",
        "Requests that a limit or a missing credential or permission refused, by declared path and reason",
        { route, reason },
        count,
      )
    return figures
  }),
)
