import { type Sample, samplesOf } from "./PrometheusText.ts"

const PREFIX = "launch_registry_"
/** They last as long as their readers want, or as their content is large: as in the alert on slow requests. */
const NOT_TIMED = /^\/api\/stream$|^\/ipfs\//

/** What a process has counted since its start. */
export interface RequestCounts {
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
  /** Of the process, in seconds since 1970: tells replicas and restarts apart. */
  readonly startedAt: number
  readonly inFlight: number
  /** Requests by `<method> <path> <status>`. */
  readonly requests: ReadonlyMap<string, number>
  /** Requests that took up to so many seconds. */
  readonly durations: ReadonlyMap<number, number>
}

const add = <K>(counts: Map<K, number>, key: K, value: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + value)

/** From the text of `/metrics`. */
export const countsOf = (text: string, at: number): RequestCounts => {
  const samples = samplesOf(text, PREFIX)
  const requests = new Map<string, number>()
  const durations = new Map<number, number>()
  const only = (name: string): number => samples.find((sample) => sample.name === `${PREFIX}${name}`)?.value ?? 0
  for (const { labels, name, value } of samples) {
    const { le = "", method = "", route = "", status = "" } = labels as Sample["labels"] & { readonly le?: string }
    if (name === `${PREFIX}http_requests_total`) add(requests, `${method} ${route} ${status}`, value)
    if (name === `${PREFIX}http_request_duration_seconds_bucket` && !NOT_TIMED.test(route))
      add(durations, le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value)
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
}

const quantileOf = (durations: ReadonlyMap<number, number>, quantile: number): number | undefined => {
  const bounds = [...durations].sort(([left], [right]) => left - right)
  const total = bounds.at(-1)?.[1] ?? 0
  return total === 0 ? undefined : bounds.find(([, count]) => count >= quantile * total)?.[0]
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
  const durations = new Map([...after.durations].map(([le, count]) => [le, count - (before.durations.get(le) ?? 0)]))
  return {
    ...{ seconds, requests, refused, limited, failed },
    perSecond: requests / seconds,
    p50: quantileOf(durations, 0.5),
    p95: quantileOf(durations, 0.95),
    routes: [...routes]
      .map(([route, one]) => ({ route, perSecond: one.requests / seconds, failed: one.failed, limited: one.limited }))
      .sort(
        (left, right) => right.failed - left.failed || right.limited - left.limited || right.perSecond - left.perSecond,
      ),
  }
}
