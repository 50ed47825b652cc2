import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { type Context, Metric } from "effect"
import { interceptRequests } from "./InterceptRequests.ts"
import { noteOf, type RequestNote } from "./RequestNote.ts"

const MILLIS_PER_SECOND = 1_000

/** Methods that are counted by name. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The client closed the connection before the response began, as nginx counts it. */
const CLIENT_CLOSED = 499

/** A series for each combination of labels. */
const seriesOf = <M>(make: (...labels: ReadonlyArray<string>) => M) => {
  const made = new Map<string, M>()
  return (...labels: ReadonlyArray<string>): M => {
    const key = labels.join(" ")
    let series = made.get(key)
    if (series === undefined) made.set(key, (series = make(...labels)))
    return series
  }
}

const inFlight = Metric.gauge("http_requests_in_flight", {
  description: "Requests being served, event streams included",
})
const counted = seriesOf((method, route, status) =>
  Metric.counter("http_requests_total", {
    description:
      "Requests by declared path (unmatched for all others), method and status; 499: the client closed the connection before the response",
    ...{ attributes: { method, route, status }, incremental: true },
  }),
)
const durations = seriesOf((method, route) =>
  Metric.histogram("http_request_duration_seconds", {
    description: "Time in seconds from a request's headers until its response was sent; of /api/stream until it ended",
    attributes: { method, route },
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  }),
)
const refusals = seriesOf((route, reason) =>
  Metric.counter("http_refusals_total", {
    description: "Requests that a limit or a missing credential or permission refused, by declared path and reason",
    ...{ attributes: { route, reason }, incremental: true },
  }),
)

/** A request that has ended. */
export interface EndedRequest {
  readonly request: IncomingMessage
  readonly note: RequestNote
  readonly status: number
  readonly seconds: number
  /** Bytes that were sent, headers included. */
  readonly bytes: number
}

const statusOf = (response: ServerResponse): number => (response.headersSent ? response.statusCode : CLIENT_CLOSED)

/** Counts and logs each request when its response is sent, or its connection gone. Outside of queues of pipelined ones. */
export const observeRequests = (
  server: Server,
  {
    context,
    log,
  }: { readonly context: Context.Context<never>; readonly log?: ((ended: EndedRequest) => void) | undefined },
): Server =>
  interceptRequests(server, (request, response, next) => {
    const startedAt = performance.now()
    const { socket } = request
    const bytesBefore = socket.bytesWritten
    inFlight.modifyUnsafe(1, context)
    const end = () => {
      const seconds = (performance.now() - startedAt) / MILLIS_PER_SECOND
      const note = noteOf(request)
      const status = statusOf(response)
      const method = METHODS.has(request.method!) ? request.method! : "other"
      inFlight.modifyUnsafe(-1, context)
      counted(method, note.route, String(status)).updateUnsafe(1, context)
      durations(method, note.route).updateUnsafe(seconds, context)
      if (note.refusal !== undefined) refusals(note.route, note.refusal).updateUnsafe(1, context)
      log?.({ request, note, status, seconds, bytes: socket.bytesWritten - bytesBefore })
    }
    // The router notes the route of a request whose client has gone away when its handler is interrupted.
    response.once("close", () => (response.writableEnded ? end() : setImmediate(end)))
    next()
  })
