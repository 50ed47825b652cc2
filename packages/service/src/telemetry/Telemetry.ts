import { randomUUID } from "node:crypto"
import { NOT_OBSERVED } from "@launch-registry/http/listener/AccessLog"
import { SendsTraceContext } from "@launch-registry/domain/http/TraceContext"
import { ConfigProvider, Effect, Layer, Tracer } from "effect"
import { HttpBody, HttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { MetricsPushedEvery } from "../metrics/DatabaseMetrics.ts"
import type { TelemetryOptions } from "../TelemetrySettings.ts"
import { collector } from "./Collector.ts"
import { exportedMetrics } from "./ExportedMetrics.ts"
import { exportedSpans } from "./ExportedSpans.ts"
import { sampledTracer } from "./SampledTracer.ts"

/** How long each signal may delay a stop. */
const FLUSH_MILLIS = 1_000
const BATCH_SPANS = 512

/** How long one attempt to export may take, spans are gathered, and metrics are apart. */
export interface ExportTimes {
  readonly timeoutMillis: number
  readonly spanDelayMillis: number
  readonly metricIntervalMillis: number
}

const EXPORT_TIMES: ExportTimes = { timeoutMillis: 10_000, spanDelayMillis: 5_000, metricIntervalMillis: 60_000 }

/** What this process is, in every export. */
export interface TelemetrySource {
  readonly version: string
  readonly role: string
}

const resourceOf = ({ attributes, serviceName }: TelemetryOptions, { role, version }: TelemetrySource) => ({
  serviceName,
  serviceVersion: version,
  attributes: { "service.instance.id": randomUUID(), "launch_registry.role": role, ...attributes },
})

const serializationOf = ({ protocol }: TelemetryOptions) =>
  protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf

type Resource = ReturnType<typeof resourceOf>

const traces = (url: string, options: TelemetryOptions & ExportTimes, resource: Resource) =>
  Effect.gen(function* () {
    const to = yield* collector("Spans", options)
    const encoder = yield* OtlpSerialization.OtlpSerialization
    const count = (data: OtlpTracer.TraceData) => data.resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0
    const tracer = yield* OtlpTracer.make({
      ...{ url, resource, maxBatchSize: BATCH_SPANS },
      ...{ exportInterval: options.spanDelayMillis, shutdownTimeout: FLUSH_MILLIS },
    }).pipe(
      Effect.provideService(HttpClient.HttpClient, to.client),
      Effect.provideService(OtlpSerialization.OtlpSerialization, {
        ...encoder,
        traces: (data) => to.body(count(data), () => encoder.traces(exportedSpans(data)), HttpBody.empty),
      }),
    )
    return sampledTracer(tracer, options)
  })

const metrics = (url: string, options: TelemetryOptions & ExportTimes, resource: Resource) =>
  Effect.gen(function* () {
    const to = yield* collector("Metrics", options)
    const encoder = yield* OtlpSerialization.OtlpSerialization
    yield* OtlpMetrics.make({
      ...{ url, resource },
      ...{ exportInterval: options.metricIntervalMillis, shutdownTimeout: FLUSH_MILLIS },
    }).pipe(
      Effect.provideService(HttpClient.HttpClient, to.client),
      Effect.provideService(OtlpSerialization.OtlpSerialization, {
        ...encoder,
        metrics: (data) => to.body(1, () => encoder.metrics(exportedMetrics(data)), HttpBody.empty),
      }),
    )
  })

/**
 * Exports spans and metrics over OTLP, by the settings. Built first and closed last, so that what a stop does is exported
 * as well.
 */
export const telemetry = (settings: TelemetryOptions, source: TelemetrySource, times: Partial<ExportTimes> = {}) => {
  const options = { ...settings, ...EXPORT_TIMES, ...times }
  const { metricIntervalMillis, metricsUrl, tracesUrl } = options
  const resource = resourceOf(options, source)
  return Layer.mergeAll(
    Layer.effect(Tracer.Tracer, traces(tracesUrl, options, resource)),
    metricsUrl === undefined ? Layer.empty : Layer.effectDiscard(metrics(metricsUrl, options, resource)),
    metricsUrl === undefined ? Layer.empty : Layer.succeed(MetricsPushedEvery, metricIntervalMillis),
    Layer.succeed(SendsTraceContext, true),
    // Probes come every few seconds and say nothing of clients.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => NOT_OBSERVED.has(url.split("?", 1)[0]!)),
  ).pipe(
    Layer.provide([
      serializationOf(options),
      OtlpExporter.layerFlusher,
      // The settings were read with all others.
      Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: {} })),
    ]),
  )
}
