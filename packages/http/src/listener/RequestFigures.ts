import { DurationHistogram } from "@launch-registry/postgres/DurationHistogram"
import { Context } from "effect"

/** Upper bounds of the latency histogram's buckets. */
export const DURATION_BOUNDS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

/** Route of requests that match none, whatever their path: paths of strangers must not become labels. */
export const UNMATCHED = "unmatched"

/** Methods that are counted by name. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
const OTHER_METHOD = "other"

/** The client closed the connection before the response began, as nginx counts it. */
export const CLIENT_CLOSED = 499

/** What has been counted of one method and route since the start. */
export interface RouteFigures {
  readonly method: string
  readonly route: string
  readonly durations: DurationHistogram
  readonly byStatus: Map<number, number>
}

/** What has been counted of the requests of one server. */
export class RequestFigures {
  inFlight = 0
  /** Called for each method and route, and each of their statuses, when it is counted first. */
  onNew: (figures: RouteFigures, status: number) => void = () => {}
  /** Called for each route and reason when it is refused first. */
  onNewRefusal: (route: string, reason: string, count: () => number) => void = () => {}
  readonly #refusals = new Map<string, { count: number }>()
  readonly #routes = new Map<string, Map<string, RouteFigures>>()

  ended(sentMethod: string, route: string, status: number, seconds: number): void {
    const figures = this.#figuresOf(METHODS.has(sentMethod) ? sentMethod : OTHER_METHOD, route)
    figures.durations.add(seconds)
    const before = figures.byStatus.get(status)
    figures.byStatus.set(status, (before ?? 0) + 1)
    if (before === undefined) this.onNew(figures, status)
  }

  /** A request was refused, for a reason of a fixed set. */
  refused(route: string, reason: string): void {
    const key = `${reason} ${route}`
    const known = this.#refusals.get(key)
    if (known !== undefined) return void known.count++
    const counted = { count: 1 }
    this.#refusals.set(key, counted)
    this.onNewRefusal(route, reason, () => counted.count)
  }

  #figuresOf(method: string, route: string): RouteFigures {
    let ofRoute = this.#routes.get(route)
    if (ofRoute === undefined) this.#routes.set(route, (ofRoute = new Map()))
    let figures = ofRoute.get(method)
    if (figures === undefined) {
      figures = { method, route, durations: new DurationHistogram(DURATION_BOUNDS_SECONDS), byStatus: new Map() }
      ofRoute.set(method, figures)
    }
    return figures
  }
}

/** The figures of the current server; without one, nothing is counted. */
export const RequestFiguresOfServer = Context.Reference<RequestFigures | undefined>(
  "@launch-registry/http/listener/RequestFigures",
  { defaultValue: () => undefined },
)
