import { migrated } from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandFile } from "./CommandFile.ts"
import { commandOutput } from "./CommandOutput.ts"
import { testUrlOf } from "./DatabaseUrls.ts"
import { freePort } from "./RunningService.ts"
import { runningService } from "./StartedService.ts"
import { collectorStandIn, valuesOf } from "./telemetry/CollectorStandIn.ts"
import { until } from "./UntilAnswer.ts"

/** A line as production writes it. */
interface Line {
  readonly message: string
  readonly level: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** Production with secrets in its URLs, and without a chain that answers. */
const production = Effect.map(migrated, (database) => ({
  ...{ RUN_MODE: "production", ROLE: "api", HOST: "127.0.0.1", NETWORK: "localnet", RPC_GENESIS_HASH: "any" },
  ...{ RPC_URL: "http://127.0.0.1:9/CANARY?api-key=CANARY", PUBLIC_URL: "https://api.example" },
  ...{ DATABASE_URL: testUrlOf(database), SHUTDOWN_DELAY_SECONDS: "0" },
}))

/** Everything that was written, each line read as JSON. */
const linesOf = (output: string): ReadonlyArray<Line> =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

describe("A process in production", () => {
  it.live(
    "logs JSON line by line: the start, each request without its secrets, the stop; and exports what it traced",
    () =>
      Effect.gen(function* () {
        const collector = yield* collectorStandIn
        const { port, running, url } = yield* runningService({
          ...{ ...(yield* production), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
          ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=CANARY%20key" },
          OTEL_RESOURCE_ATTRIBUTES: "service.name=of-a-test,deployment.environment.name=staging",
        })
        yield* Effect.promise(async () => {
          await until(
            () => running.output().includes("Token Launch Registry is up") || running.process.exitCode !== null,
          )
          for (const path of ["/livez", "/readyz", "/metrics"]) await fetch(`${url}${path}`)
          await fetch(`${url}/api/tokens?limit=1&search=CANARY`)
          const headers = { authorization: "CANARY", "content-type": "application/json", "x-request-id": "mine" }
          await fetch(`${url}/api/tokens`, { method: "POST", headers, body: JSON.stringify({ name: "CANARY" }) })
          await fetch(`${url}/.env?key=CANARY`)
          await until(() => running.output().split("Request completed").length === 4)
          running.process.kill("SIGTERM")
          assert.strictEqual(await running.ended, 0, running.output())
        })
        assert.notInclude(running.output(), "CANARY")
        const lines = linesOf(running.output())
        const named = (message: string) =>
          lines.filter((line) => line.message.startsWith(message)).map(({ annotations }) => annotations)
        const [started] = named("Token Launch Registry is up")
        assert.deepInclude(started!, {
          ...{ role: "api", network: "localnet", listening: `127.0.0.1:${port}` },
          ipfs: "embedded, in the database, read at https://api.example/ipfs/<cid>",
        })
        assert.match(String(started!.version), /^\d+\.\d+\.\d+$/)
        const requests = named("Request completed")
        assert.deepStrictEqual(
          requests.map(({ method, path, route, status }) => [method, route, path, status]),
          [
            ["GET", "/api/tokens", "/api/tokens", 400],
            ["POST", "/api/tokens", "/api/tokens", 400],
            ["GET", "unmatched", "/.env", 404],
          ],
        )
        for (const { bytes, caller, millis, requestId } of requests) {
          assert.isAbove(bytes as number, 100)
          assert.isAtLeast(millis as number, 0)
          assert.strictEqual(caller, "127.0.0.1")
          assert.match(requestId as string, /^(mine\.)?[0-9a-f-]{36}$/)
        }
        assert.match(requests[1]!.requestId as string, /^mine\./)
        assert.deepStrictEqual(named("Stopping"), [{ signal: "SIGTERM" }])
        assert.strictEqual(lines.at(-1)!.message, "Stopped")

        const span = collector.spans.find(({ name }) => name === "POST /api/tokens")!
        assert.deepInclude(requests[1]!, { trace_id: span.traceId, span_id: span.spanId })
        assert.isNotEmpty(collector.metrics)
        for (const resource of collector.resources)
          assert.deepInclude(resource, {
            ...{ "service.name": "of-a-test", "deployment.environment.name": "staging", "launch_registry.role": "api" },
            "service.instance.id": collector.resources[0]!["service.instance.id"],
          })
        for (const { body, headers } of collector.received) {
          assert.strictEqual(headers["x-collector-key"], "CANARY key")
          assert.notInclude(body, "CANARY")
        }
        assert.notInclude(JSON.stringify(collector.spans.map(({ attributes }) => valuesOf(attributes))), "127.0.0.1:9")
      }).pipe(Effect.scoped),
  )

  it.live("logs what makes a start fail", () =>
    Effect.gen(function* () {
      const settings = yield* production
      const failing = (environment: Readonly<Record<string, string>>) =>
        Effect.map(
          Effect.promise(() => commandOutput(commandFile("service"), [], environment)),
          ({ code, err, out }) => {
            assert.deepStrictEqual([code, err], [1, ""])
            return linesOf(out).at(-1)!
          },
        )
      const invalid = yield* failing({ ...settings, PORT: "x", RPC_URLS: "CANARY" })
      assert.strictEqual(invalid.level, "FATAL")
      assert.match(invalid.message, /^Invalid settings:\n {2}- PORT: expected a port number/)
      const port = String(yield* Effect.promise(freePort))
      const refused = yield* failing({ ...settings, HOST: "192.0.2.1", PORT: port })
      assert.match(refused.message, /^Cannot listen on port \d+ of 192.0.2.1: HOST is not an address of this machine$/)
    }),
  )
})
