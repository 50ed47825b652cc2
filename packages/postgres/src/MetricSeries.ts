import { Effect, Metric, type Scope } from "effect"

const IGNORED = { update: () => undefined, modify: () => undefined }

export type Labels = Readonly<Record<string, string>>

/** A histogram as it is counted: values by bucket, the last one without a bound. */
export interface CountedHistogram {
  readonly counts: ReadonlyArray<number>
  readonly count: number
  readonly sum: number
  readonly max: number
}

/** Registers series whose values are read on scrape. */
export interface MetricSeries {
  readonly counter: (name: string, help: string, labels: Labels, read: () => number) => void
  readonly gauge: (name: string, help: string, labels: Labels, read: () => number) => void
  readonly histogram: (
    name: string,
    help: string,
    labels: Labels,
    bounds: ReadonlyArray<number>,
    read: () => CountedHistogram,
  ) => void
  /** Removes all of them. */
  readonly clear: () => void
}

const stateOf = (bounds: ReadonlyArray<number>, { count, counts, max, sum }: CountedHistogram) => {
  let cumulated = 0
  const buckets = bounds.map((bound, index) => [bound, (cumulated += counts[index]!)] as [number, number])
  return { buckets, count, sum, min: 0, max }
}

/** Series that are removed when the scope closes, or earlier. */
export const metricSeries: Effect.Effect<MetricSeries, never, Scope.Scope> = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const registrations = new Set<Metric.Registration>()
  const clear = () => {
    for (const registration of registrations) registration.remove()
    registrations.clear()
  }
  yield* Effect.addFinalizer(() => Effect.sync(clear))
  return {
    clear,
    counter: (name, description, attributes, read) => {
      const metric = Metric.counter(name, { description, attributes, incremental: true })
      const get = () => ({ count: read(), incremental: true })
      registrations.add(Metric.registerUnsafe(metric, context, { ...IGNORED, get }))
    },
    gauge: (name, description, attributes, read) => {
      const metric = Metric.gauge(name, { description, attributes })
      registrations.add(Metric.registerUnsafe(metric, context, { ...IGNORED, get: () => ({ value: read() }) }))
    },
    histogram: (name, description, attributes, boundaries, read) => {
      const metric = Metric.histogram(name, { description, attributes, boundaries })
      const get = () => stateOf(boundaries, read())
      registrations.add(Metric.registerUnsafe(metric, context, { ...IGNORED, get }))
    },
  }
})
