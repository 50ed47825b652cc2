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
  it.effect("export nothing without an endpoint, and no metrics that are switched off", () =>
    Effect.gen(function* () {
      for (const environment of [
        {},
        { OTEL_RESOURCE_ATTRIBUTES: "service.name=x", OTEL_METRICS_EXPORTER: "otlp" },
        // What a platform sets for all that runs on it.
        { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_METRICS_EXPORTER: "console", OTEL_TRACES_SAMPLER: "jaeger_remote" },
      ])
        assert.isUndefined(yield* telemetryOf(environment))
      const traces = yield* telemetryOf({ ...ENDPOINT, OTEL_METRICS_EXPORTER: "none" })
      assert.strictEqual(traces?.tracesUrl, "http://collector:4318/v1/traces")
      assert.notProperty(traces, "metricsUrl")
    }),
  )

  it.effect("have the defaults of OpenTelemetry", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* telemetryOf(ENDPOINT), {
        ...{ protocol: "http/protobuf", headers: {}, attributes: {}, recordedShare: 1, isCallerTrusted: true },
        ...{ tracesUrl: "http://collector:4318/v1/traces", metricsUrl: "http://collector:4318/v1/metrics" },
        serviceName: "token-launch-registry",
      })
    }),
  )

  it.effect("are read", () =>
    Effect.gen(function* () {
      const telemetry = yield* telemetryOf({
        ...{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", TRACEPARENT_TRUSTED: "false" },
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20CANARY, x-scope = team,",
        ...{ OTEL_RESOURCE_ATTRIBUTES: "service.name=named,host.name=a%2Cb", OTEL_TRACES_SAMPLER_ARG: "0.05" },
      })
      const { headers, ...others } = telemetry!
      assert.deepStrictEqual(
        Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]),
        [
          ["authorization", "Basic CANARY"],
          ["x-scope", "team"],
        ],
      )
      assert.deepInclude(others, { protocol: "http/json", isCallerTrusted: false, serviceName: "named" })
      assert.deepInclude(others, { recordedShare: 0.05, attributes: { "host.name": "a,b" } })
    }),
  )

  it.effect("name what is wrong, and never what was set", () =>
    Effect.gen(function* () {
      const wrong = {
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:CANARY@collector", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
        ...{ OTEL_METRICS_EXPORTER: "prometheus", OTEL_EXPORTER_OTLP_HEADERS: "CANARY" },
        ...{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz", OTEL_TRACES_SAMPLER_ARG: "1.5" },
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
      const { misspelt } = yield* readSettings({
        ...PRODUCTION,
        OTEL_LOGS_EXPORTER: "otlp",
        OTEL_RESOURCE_ATRIBUTES: "x",
      })
      assert.lengthOf(misspelt, 2)
      assert.match(misspelt[0]!, /^OTEL_LOGS_EXPORTER is not a setting/)
      assert.include(misspelt, "OTEL_RESOURCE_ATRIBUTES is not a setting; did you mean OTEL_RESOURCE_ATTRIBUTES?")
    }),
  )
})
