import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parseMetrics, readMetrics } from "../metrics/MetricsText.ts"
import { TestServer } from "../TestServer.ts"
import { type ReceivedMetric, valuesOf } from "./CollectorStandIn.ts"
import { Surroundings, tracedServer } from "./TracedServer.ts"

type Point = NonNullable<ReceivedMetric["gauge"]>["dataPoints"][number]

const pointsOf = ({ gauge, histogram, sum }: ReceivedMetric): ReadonlyArray<Point> =>
  (sum ?? gauge ?? histogram)!.dataPoints

const seriesOf = (name: string, { attributes }: Point, more: ReadonlyArray<readonly [string, string]> = []): string => {
  const labels = [...Object.entries(valuesOf(attributes)), ...more].map(([key, value]) => `${key}="${String(value)}"`)
  return labels.length === 0 ? name : `${name}{${labels.join(",")}}`
}

/** The values of an export by series, as /metrics writes them. */
const valuesByNameOf = (metrics: ReadonlyArray<ReceivedMetric>): ReadonlyMap<string, number> =>
  new Map(
    metrics.flatMap((metric) =>
      pointsOf(metric).flatMap((point): ReadonlyArray<readonly [string, number]> => {
        if (metric.histogram === undefined) return [[seriesOf(metric.name, point), (point.asDouble ?? point.asInt)!]]
        let cumulated = 0
        const buckets = [...point.explicitBounds!, "+Inf"].map(
          (le, index) =>
            [
              seriesOf(`${metric.name}_bucket`, point, [["le", String(le)]]),
              (cumulated += point.bucketCounts![index]!),
            ] as const,
        )
        return [
          ...buckets,
          [seriesOf(`${metric.name}_count`, point), point.count!],
          [seriesOf(`${metric.name}_sum`, point), point.sum!],
        ]
      }),
    ),
  )

const typeOf = ({ gauge, sum }: ReceivedMetric): string =>
  sum === undefined ? (gauge === undefined ? "histogram" : "gauge") : "counter"

/** Gauges that do not change from one moment to the next. What only grows was the same in between as well. */
const STEADY = /build_info|_max$|_limit_bytes|start_time|database_up|indexer_|stream_subscribers/

layer(tracedServer(), { excludeTestServices: true })("Exported metrics", (it) => {
  it.effect("are those of /metrics, by name, type and value, the database's included", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { collector } = yield* Surroundings
      yield* request("/api/tokens?limit=1")
      /** Exports between two looks at /metrics, until the same series are in all three. */
      const compared = Effect.gen(function* () {
        const before = yield* readMetrics
        const count = collector.received.length
        const isNew = () => collector.received.slice(count).some(({ path }) => path === "/v1/metrics")
        yield* collector.until(isNew)
        const exported = collector.metrics
        return { before, exported, after: yield* readMetrics }
      })
      const isSame = ({ after, before, exported }: Effect.Success<typeof compared>) => {
        const names = [...valuesByNameOf(exported).keys()].toSorted().join("\n")
        return [before, after].every(({ values }) => [...values.keys()].toSorted().join("\n") === names)
      }
      let found = yield* compared
      while (!isSame(found)) found = yield* compared
      const { after, before, exported } = found

      const types = new Map(exported.map((metric) => [metric.name, typeOf(metric)]))
      assert.deepStrictEqual(types, new Map([...after.families].map(([name, { type }]) => [name, type])))
      assert.include([...types.keys()], "launch_registry_database_up")
      const values = valuesByNameOf(exported)
      let same = 0
      for (const [series, value] of before.values) {
        const isSettled = STEADY.test(series) || /_(total|bucket|count|sum)(\{|$)/.test(series)
        if (!isSettled || after.values.get(series) !== value) continue
        assert.strictEqual(values.get(series), value, series)
        same++
      }
      assert.isAbove(same, 50)
      const unitOf = (name: string) => exported.find((metric) => metric.name === `launch_registry_${name}`)!.unit
      assert.strictEqual(unitOf("http_request_duration_seconds"), "s")
      assert.strictEqual(unitOf("process_resident_memory_bytes"), "By")
      assert.strictEqual(unitOf("http_requests_total"), "")
      // The text is what Prometheus takes.
      assert.isAbove(parseMetrics(after.text).values.size, same)
    }),
  )
})
