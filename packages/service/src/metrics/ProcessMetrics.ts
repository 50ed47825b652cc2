import {
  constants,
  monitorEventLoopDelay,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { Effect, Layer } from "effect"
import { DurationHistogram } from "@launch-registry/postgres/DurationHistogram"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"

/** Interval at which the delay of the event loop is sampled; a sample holds it as well. */
const RESOLUTION_MILLIS = 20
/** Quantiles are of this long, at least: several scrapers see the same ones. */
const WINDOW_MILLIS = 10_000
const NANOS_PER_SECOND = 1e9
const MICROS_PER_SECOND = 1e6
const MILLIS_PER_SECOND = 1_000

const GC_BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1] as const

const GC_KINDS: ReadonlyArray<readonly [kind: number, name: string]> = [
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
]

/** What the event loop was late, over the latest whole window. */
const eventLoopDelay = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  ),
  (histogram) => {
    const seconds = (nanos: number) => Math.max(0, nanos / NANOS_PER_SECOND - RESOLUTION_MILLIS / MILLIS_PER_SECOND)
    const measured = () => ({
      "0.5": seconds(histogram.percentile(50)),
      "0.99": seconds(histogram.percentile(99)),
      "1": seconds(histogram.max),
    })
    let since = performance.now()
    let last: ReturnType<typeof measured> | undefined
    return (quantile: keyof ReturnType<typeof measured>): number => {
      if (performance.now() - since >= WINDOW_MILLIS) {
        last = measured()
        histogram.reset()
        since = performance.now()
      }
      return (last ?? measured())[quantile]
    }
  },
)

const garbageCollections = Effect.gen(function* () {
  const kinds = new Map(
    GC_KINDS.map(([kind, name]) => [kind, { name, durations: new DurationHistogram(GC_BOUNDS_SECONDS) }]),
  )
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, duration } = entry as PerformanceEntry & { readonly detail: NodeGCPerformanceDetail }
      kinds.get(detail.kind ?? -1)?.durations.add(duration / MILLIS_PER_SECOND)
    }
  })
  observer.observe({ entryTypes: ["gc"] })
  yield* Effect.addFinalizer(() => Effect.sync(() => observer.disconnect()))
  return [...kinds.values()]
})

/** Memory, CPU, garbage collection and event loop of this process, and its version. */
export const processMetrics = (version: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { counter, gauge, histogram } = yield* metricSeries
      gauge(
        "build_info",
        "1, with the version of the service and of Node.js",
        { version, node: process.version },
        () => 1,
      )
      const startedAt = Math.round(performance.timeOrigin) / MILLIS_PER_SECOND
      gauge("process_start_time_seconds", "When the process started, in seconds since 1970", {}, () => startedAt)
      counter("process_cpu_seconds_total", "CPU time of the process, user and system, in seconds", {}, () => {
        const { system, user } = process.cpuUsage()
        return (system + user) / MICROS_PER_SECOND
      })
      gauge("process_resident_memory_bytes", "Resident memory of the process in bytes", {}, () =>
        process.memoryUsage.rss(),
      )
      gauge("heap_used_bytes", "Used bytes of V8's heap", {}, () => getHeapStatistics().used_heap_size)
      gauge("heap_limit_bytes", "Bytes at which V8 ends the process", {}, () => getHeapStatistics().heap_size_limit)
      gauge("external_memory_bytes", "Bytes of buffers outside of V8's heap", {}, () => process.memoryUsage().external)

      const delayOf = yield* eventLoopDelay
      for (const quantile of ["0.5", "0.99", "1"] as const)
        gauge(
          "event_loop_delay_seconds",
          "By how many seconds the event loop was late in the last 10 s or more, by quantile (1: maximum)",
          { quantile },
          () => delayOf(quantile),
        )
      for (const { durations, name } of yield* garbageCollections)
        histogram(
          "gc_duration_seconds",
          "Time in seconds of garbage collections by kind",
          { kind: name },
          GC_BOUNDS_SECONDS,
          () => durations,
        )
    }),
  )
