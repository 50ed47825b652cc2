import { migrated } from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { freePort, run } from "../RunningService.ts"
import { collectorStandIn, type CollectorStandIn, valuesOf } from "./CollectorStandIn.ts"

interface Line {
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** Production that exports, with secrets in its URLs and without a chain that answers. */
const started = Effect.fnUntraced(function* (collector: CollectorStandIn, environment: Record<string, string>) {
  const port = yield* Effect.promise(freePort)
  const database = `postgres://${inject("postgresUsername")}:CANARY@localhost/${yield* migrated}`
  const service = yield* Effect.acquireRelease(
    Effect.sync(() =>
      run({
        ...{ RUN_MODE: "production", ROLE: "api", HOST: "127.0.0.1", PORT: String(port), SHUTDOWN_DELAY_SECONDS: "0" },
        ...{ NETWORK: "localnet", RPC_GENESIS_HASH: "any", RPC_URL: "http://127.0.0.1:9/CANARY?api-key=CANARY" },
        ...{ PUBLIC_URL: "https://api.example", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
        DATABASE_URL: `${database}?host=${inject("postgresSockets")}`,
        ...environment,
      }),
    ),
    ({ process: child }) => Effect.sync(() => child.kill("SIGKILL")),
  )
  yield* Effect.promise(async () => {
    while (!service.output().includes("Token Launch Registry is up")) {
      assert.isNull(service.process.exitCode, service.output())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  const linesOf = (message: string) =>
    service
      .output()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.message === message)
  return { url: `http://127.0.0.1:${port}`, service, linesOf }
})

describe("A process that exports", () => {
  it.live("sends traces and metrics by the variables of OpenTelemetry until it has stopped, and logs the ids", () =>
    Effect.gen(function* () {
      const collector = yield* collectorStandIn
      const { linesOf, service, url } = yield* started(collector, {
        ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=CANARY%20key" },
        ...{ OTEL_RESOURCE_ATTRIBUTES: "service.name=of-a-test,deployment.environment.name=staging" },
      })
      yield* Effect.promise(() => fetch(`${url}/api/tokens?limit=1`, { headers: { "x-request-id": "traced" } }))
      yield* Effect.promise(() => fetch(`${url}/api/bridge/tokens`))
      service.process.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => service.ended), 0, service.output())

      const span = collector.spans.find(({ name }) => name === "GET /api/tokens")
      assert.isDefined(span)
      const line = linesOf("Request completed").find(({ annotations }) =>
        String(annotations.requestId).startsWith("traced."),
      )
      assert.deepInclude(line!.annotations, { trace_id: span!.traceId, span_id: span!.spanId })
      assert.isNotEmpty(collector.metrics)
      for (const resource of collector.resources) {
        assert.deepInclude(resource, {
          ...{ "service.name": "of-a-test", "deployment.environment.name": "staging" },
          "launch_registry.role": "api",
        })
        assert.strictEqual(resource["service.instance.id"], collector.resources[0]!["service.instance.id"])
      }
      for (const { body, headers } of collector.received) {
        assert.strictEqual(headers["x-collector-key"], "CANARY key")
        assert.notInclude(body, "CANARY")
      }
      assert.notInclude(service.output(), "CANARY")
      assert.notInclude(JSON.stringify(collector.spans.map(({ attributes }) => valuesOf(attributes))), "127.0.0.1:9")
    }),
  )

  it.live("stops with 0 while the collector hangs, and sends protobuf by default", () =>
    Effect.gen(function* () {
      const collector = yield* collectorStandIn
      collector.answer = () => undefined
      const { service, url } = yield* started(collector, {})
      yield* Effect.promise(() => fetch(`${url}/api/tokens?limit=1`))
      service.process.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => service.ended), 0, service.output())
      assert.strictEqual(collector.received[0]!.headers["content-type"], "application/x-protobuf")
      assert.isTrue(collector.received.some(({ body }) => body.includes("GET /api/tokens")))
    }),
  )
})
