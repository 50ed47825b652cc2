import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readMetrics } from "../metrics/MetricsText.ts"
import { TestServer } from "../TestServer.ts"
import { type ReceivedMetric, valuesOf } from "./CollectorStandIn.ts"
import { Surroundings, tracedServer } from "./TracedServer.ts"

const pointsOf = ({ gauge, histogram, sum }: ReceivedMetric) => (sum ?? gauge ?? histogram)!.dataPoints

/** Series as /metrics names them, with their values; of a histogram, its count. */
const valuesIn = (metrics: ReadonlyArray<ReceivedMetric>) =>
  new Map(
    metrics.flatMap((metric) =>
      pointsOf(metric).map(({ asDouble, asInt, attributes, count }) => {
        const labels = Object.entries(valuesOf(attributes)).map(([key, value]) => `${key}="${String(value)}"`)
        const name = metric.histogram === undefined ? metric.name : `${metric.name}_count`
        return [labels.length === 0 ? name : `${name}{${labels.join(",")}}`, asDouble ?? asInt ?? count] as const
      }),
    ),
  )

const typeOf = ({ gauge, sum }: ReceivedMetric): string =>
  sum === undefined ? (gauge === undefined ? "histogram" : "gauge") : "counter"

layer(tracedServer(), { excludeTestServices: true })("Exported metrics", (it) => {
  it.effect("are those of /metrics, by name, type and value, the database's included", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { collector } = yield* Surroundings
      yield* request("/api/tokens?limit=1")
      const requests = 'launch_registry_http_requests_total{method="GET",route="/api/tokens",status="200"}'
      // Metrics appear as parts begin to count.
      for (let isSame = false; !isSame;) {
        const { families, values } = yield* readMetrics
        const count = collector.received.length
        yield* collector.until(() => collector.received.slice(count).some(({ path }) => path === "/v1/metrics"))
        const { metrics } = collector
        const types = new Map(metrics.map((metric) => [metric.name, typeOf(metric)]))
        isSame = types.size === families.size && values.has(requests)
        if (!isSame) continue
        assert.deepStrictEqual(types, new Map([...families].map(([name, { type }]) => [name, type])))
        const exported = valuesIn(metrics)
        for (const series of [requests, "launch_registry_database_up"])
          assert.strictEqual(exported.get(series), values.get(series), series)
        const durations = 'launch_registry_http_request_duration_seconds_count{method="GET",route="/api/tokens"}'
        assert.strictEqual(exported.get(durations), 1)
        const unitOf = (name: string) => metrics.find((metric) => metric.name === `launch_registry_${name}`)!.unit
        const units = ["http_request_duration_seconds", "process_resident_memory_bytes", "http_requests_total"].map(
          unitOf,
        )
        assert.deepStrictEqual(units, ["s", "By", ""])
      }
    }),
  )
})
