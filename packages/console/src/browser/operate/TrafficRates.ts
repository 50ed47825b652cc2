import { samplesOf } from "./PrometheusText.ts"

const PREFIX = "launch_registry_"
/** They last as long as their readers want, or as their content is large: as in the alert on slow requests. */
const NOT_TIMED = /^\/api\/stream$|^\/(api\/)?ipfs\/|^unmatched$/

/** Requests by the upper bound of what they took, in seconds; each bound has those of the smaller ones as well. */
type Durations = ReadonlyMap<number, number>

/** What a process has counted since its start. */
export interface RequestCounts {
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
  /** Of the process, in seconds since 1970: tells replicas and restarts apart. */
  readonly startedAt: number
  readonly inFlight: number
  /** Requests by `<method> <path> <status>`. */
  readonly requests: ReadonlyMap<string, number>
  /** Requests that took up to so many seconds, by `<method> <path>`. */
  readonly durations: ReadonlyMap<string, Durations>
}

const add = <K>(counts: Map<K, number>, key: K, value: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + value)

/** From the text of `/metrics`. */
export const countsOf = (text: string, at: number): RequestCounts => {
  const samples = samplesOf(text, PREFIX)
  const requests = new Map<string, number>()
  const durations = new Map<string, Map<number, number>>()
  const only = (name: string): number => samples.find((sample) => sample.name === `${PREFIX}${name}`)?.value ?? 0
  for (const { labels, name, value } of samples) {
    const { le = "", method = "", route = "", status = "" } = labels
    if (name === `${PREFIX}http_requests_total`) add(requests, `${method} ${route} ${status}`, value)
    if (name === `${PREFIX}http_request_duration_seconds_bucket` && !NOT_TIMED.test(route)) {
      const ofRoute = durations.get(`${method} ${route}`) ?? new Map<number, number>()
      durations.set(`${method} ${route}`, ofRoute)
      add(ofRoute, le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value)
    }
  }
  return {
    ...{ at, requests, durations },
    startedAt: only("process_start_time_seconds"),
    inFlight: only("http_requests_in_flight"),
  }
}

/** Requests of one operation. */
export interface RouteRates {
  readonly route: string
  readonly perSecond: number
  /** Answers from 500 on, and of 429. */
  readonly failed: number
  readonly limited: number
  /** Upper bound, in seconds; undefined without a request, and where it says nothing. */
  readonly p95: number | undefined
}

/** What happened between two readings. */
export interface Traffic {
  readonly seconds: number
  readonly requests: number
  readonly perSecond: number
  /** Answers by their kind: 429 is not among the others of 4xx. */
  readonly refused: number
  readonly limited: number
  readonly failed: number
  /** Upper bounds, in seconds; undefined without a request, infinite beyond the last bound. */
  readonly p50: number | undefined
  readonly p95: number | undefined
  /** Those with the most failures first, then the busiest. */
  readonly routes: ReadonlyArray<RouteRates>
  /** The one with the highest 95th percentile; undefined without a request. */
  readonly slowest: string | undefined
}

const quantileOf = (durations: Durations, quantile: number): number | undefined => {
  const bounds = [...durations].sort(([left], [right]) => left - right)
  const total = bounds.at(-1)?.[1] ?? 0
  return total === 0 ? undefined : bounds.find(([, count]) => count >= quantile * total)?.[0]
}

const less = (after: Durations, before: Durations | undefined): Durations =>
  new Map([...after].map(([le, count]) => [le, count - (before?.get(le) ?? 0)]))

const summed = (all: Iterable<Durations>): Durations => {
  const sum = new Map<number, number>()
  for (const durations of all) for (const [le, count] of durations) add(sum, le, count)
  return sum
}

/** `undefined` if the readings are not of the same process, or of the same moment. */
export const trafficBetween = (before: RequestCounts, after: RequestCounts): Traffic | undefined => {
  const seconds = (after.at - before.at) / 1_000
  if (seconds <= 0 || before.startedAt !== after.startedAt) return undefined
  let [requests, refused, limited, failed] = [0, 0, 0, 0]
  const routes = new Map<string, { requests: number; limited: number; failed: number }>()
  for (const [key, count] of after.requests) {
    const more = count - (before.requests.get(key) ?? 0)
    if (more <= 0) continue
    const [method = "", path = "", code = ""] = key.split(" ")
    const status = Number(code)
    const route = routes.get(`${method} ${path}`) ?? { requests: 0, limited: 0, failed: 0 }
    routes.set(`${method} ${path}`, route)
    requests += more
    route.requests += more
    if (status >= 500) {
      failed += more
      route.failed += more
    } else if (status === 429) {
      limited += more
      route.limited += more
    } else if (status >= 400) refused += more
  }
  const timed = new Map([...after.durations].map(([route, all]) => [route, less(all, before.durations.get(route))]))
  const p95s = new Map([...timed].map(([route, all]) => [route, quantileOf(all, 0.95)]))
  const [slowest] = [...p95s].filter(([, p95]) => p95 !== undefined).sort(([, left], [, right]) => right! - left!)
  const durations = summed(timed.values())
  return {
    ...{ seconds, requests, refused, limited, failed },
    perSecond: requests / seconds,
    p50: quantileOf(durations, 0.5),
    p95: quantileOf(durations, 0.95),
    slowest: slowest?.[0],
    routes: [...routes]
      .map(([route, one]) => ({
        ...{ route, perSecond: one.requests / seconds, failed: one.failed, limited: one.limited },
        p95: p95s.get(route),
      }))
      .sort(
        (left, right) => right.failed - left.failed || right.limited - left.limited || right.perSecond - left.perSecond,
      ),
  }
}
