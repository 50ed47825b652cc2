import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { interceptRequests } from "./InterceptRequests.ts"
import { CLIENT_CLOSED, type RequestFigures } from "./RequestFigures.ts"
import { noteOf, type RequestNote } from "./RequestNote.ts"

const MILLIS_PER_SECOND = 1_000

/** A request that has ended. */
export interface EndedRequest {
  readonly request: IncomingMessage
  readonly note: RequestNote
  readonly status: number
  readonly seconds: number
  /** Bytes that were sent, headers included. */
  readonly bytes: number
}

/** What observes the requests that have ended. */
export interface RequestObservers {
  readonly figures: RequestFigures | undefined
  readonly log: ((ended: EndedRequest) => void) | undefined
}

const statusOf = (response: ServerResponse): number => (response.headersSent ? response.statusCode : CLIENT_CLOSED)

/** Counts and logs each request when its response is sent, or its connection gone. Outside of queues of pipelined ones. */
export const observeRequests = (server: Server, { figures, log }: RequestObservers): Server => {
  if (figures === undefined && log === undefined) return server
  return interceptRequests(server, (request, response, next) => {
    const startedAt = performance.now()
    const { socket } = request
    const bytesBefore = log === undefined ? 0 : socket.bytesWritten
    if (figures !== undefined) figures.inFlight++
    const end = () => {
      const seconds = (performance.now() - startedAt) / MILLIS_PER_SECOND
      const note = noteOf(request)
      const status = statusOf(response)
      if (figures !== undefined) {
        figures.inFlight--
        figures.ended(request.method!, note.route, status, seconds)
        if (note.refusal !== undefined) figures.refused(note.route, note.refusal)
      }
      log?.({ request, note, status, seconds, bytes: socket.bytesWritten - bytesBefore })
    }
    // The router notes the route of a request whose client has gone away when its handler is interrupted.
    response.once("close", () => (response.writableEnded ? end() : setImmediate(end)))
    next()
  })
}
