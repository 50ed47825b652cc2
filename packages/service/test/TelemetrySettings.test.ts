import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }

const telemetryOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(readSettings({ ...PRODUCTION, ...environment }), ({ telemetry }) => Option.getOrUndefined(telemetry))

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ ...PRODUCTION, ...environment })), ({ faults }) => faults)

describe("Settings of OpenTelemetry", () => {
  it.effect("export nothing without an endpoint, and nothing that is switched off", () =>
    Effect.gen(function* () {
      const none = { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }
      for (const environment of [
        {},
        { OTEL_SERVICE_NAME: "x", OTEL_TRACES_EXPORTER: "otlp" },
        { ...ENDPOINT, OTEL_SDK_DISABLED: "true" },
        { ...ENDPOINT, ...none },
        // What a platform sets for all that runs on it.
        { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_EXPORTER: "console", OTEL_TRACES_SAMPLER: "jaeger_remote" },
        { ...ENDPOINT, OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_PROPAGATORS: "b3" },
      ])
        assert.isUndefined(yield* telemetryOf(environment))
      const traces = yield* telemetryOf({ ...ENDPOINT, OTEL_METRICS_EXPORTER: "none" })
      assert.strictEqual(traces?.tracesUrl, "http://collector:4318/v1/traces")
      assert.notProperty(traces, "metricsUrl")
      const metrics = yield* telemetryOf({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://metrics.example/otlp" })
      assert.strictEqual(metrics?.metricsUrl, "https://metrics.example/otlp")
      assert.notProperty(metrics, "tracesUrl")
    }),
  )

  it.effect("have the defaults of OpenTelemetry", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* telemetryOf(ENDPOINT), {
        ...{ protocol: "http/protobuf", headers: {}, timeoutMillis: 10_000, attributes: {} },
        ...{ tracesUrl: "http://collector:4318/v1/traces", metricsUrl: "http://collector:4318/v1/metrics" },
        ...{ spanDelayMillis: 5_000, metricIntervalMillis: 60_000, isPropagating: true, isCallerTrusted: true },
        sampler: { isParentBased: true, ratio: 1 },
        serviceName: "token-launch-registry",
      })
    }),
  )

  it.effect("are read", () =>
    Effect.gen(function* () {
      const telemetry = yield* telemetryOf({
        ...{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_TIMEOUT: "500" },
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20CANARY, x-scope = team,",
        ...{ OTEL_RESOURCE_ATTRIBUTES: "service.name=named,host.name=a%2Cb", OTEL_METRIC_EXPORT_INTERVAL: "15000" },
        ...{ OTEL_BSP_SCHEDULE_DELAY: "1000", OTEL_PROPAGATORS: "none", TRACEPARENT_TRUSTED: "false" },
        ...{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.05" },
      })
      const { headers, ...others } = telemetry!
      assert.deepStrictEqual(
        Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]),
        [
          ["authorization", "Basic CANARY"],
          ["x-scope", "team"],
        ],
      )
      assert.deepInclude(others, {
        ...{ protocol: "http/json", timeoutMillis: 500, spanDelayMillis: 1_000, metricIntervalMillis: 15_000 },
        ...{ isPropagating: false, isCallerTrusted: false, serviceName: "named" },
      })
      assert.deepStrictEqual(others.sampler, { isParentBased: true, ratio: 0.05 })
      assert.deepStrictEqual(others.attributes, { "host.name": "a,b" })
      for (const [name, sampler] of [
        ["always_on", { isParentBased: false, ratio: 1 }],
        ["always_off", { isParentBased: false, ratio: 0 }],
        ["parentbased_always_off", { isParentBased: true, ratio: 0 }],
        ["traceidratio", { isParentBased: false, ratio: 1 }],
      ] as const)
        assert.deepStrictEqual((yield* telemetryOf({ ...ENDPOINT, OTEL_TRACES_SAMPLER: name }))?.sampler, sampler)
      const named = { OTEL_SERVICE_NAME: "first", OTEL_RESOURCE_ATTRIBUTES: "service.name=second" }
      assert.strictEqual((yield* telemetryOf({ ...ENDPOINT, ...named }))?.serviceName, "first")
    }),
  )

  it.effect("name what is wrong, and never what was set", () =>
    Effect.gen(function* () {
      const wrong = {
        ...{ OTEL_SDK_DISABLED: "CANARY", OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:CANARY@collector" },
        ...{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
        ...{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://collector/?key=CANARY", OTEL_TRACES_EXPORTER: "console" },
        ...{ OTEL_METRICS_EXPORTER: "prometheus", OTEL_EXPORTER_OTLP_HEADERS: "CANARY", OTEL_PROPAGATORS: "b3" },
        ...{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz", OTEL_TRACES_SAMPLER: "jaeger_remote", OTEL_TRACES_SAMPLER_ARG: "1.5" },
        ...{ OTEL_EXPORTER_OTLP_TIMEOUT: "0", OTEL_BSP_SCHEDULE_DELAY: "-1", OTEL_METRIC_EXPORT_INTERVAL: "60s" },
        TRACEPARENT_TRUSTED: "yes",
      }
      const faults = yield* faultsOf(wrong)
      assert.sameMembers(
        faults.map((fault) => fault.split(":")[0]!),
        Object.keys(wrong),
      )
      assert.notInclude(faults.join(), "CANARY")
      assert.include(
        faults,
        "OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf or http/json: OTLP over gRPC is not supported",
      )
      const injected = { "x-a": "line%0Abreak", "x a": "1" }
      for (const [name, value] of Object.entries(injected))
        assert.lengthOf(yield* faultsOf({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: `${name}=${value}` }), 1)
    }),
  )

  it.effect("that are not supported are said so", () =>
    Effect.gen(function* () {
      const { misspelt } = yield* readSettings({ ...PRODUCTION, OTEL_LOGS_EXPORTER: "otlp", OTEL_SERVICE_NAM: "x" })
      assert.lengthOf(misspelt, 2)
      assert.match(misspelt[0]!, /^OTEL_LOGS_EXPORTER is not a setting/)
      assert.include(misspelt, "OTEL_SERVICE_NAM is not a setting; did you mean OTEL_SERVICE_NAME?")
    }),
  )
})
