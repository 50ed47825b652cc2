import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { DatabaseMetrics } from "./DatabaseMetrics.ts"

/** Every metric begins so. */
export const METRICS_PREFIX = "launch_registry"

/** `GET /metrics`: what this process counts, and what is read from the database while it answers. */
export const metricsRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { refresh } = yield* DatabaseMetrics
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(Effect.andThen(refresh, PrometheusMetrics.format({ prefix: METRICS_PREFIX })), (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
      ),
    )
  }),
)
