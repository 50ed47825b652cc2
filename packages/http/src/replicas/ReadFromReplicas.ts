import { isOfReplica } from "@launch-registry/postgres/DatabaseAway"
import { decodePosition, encodePosition } from "@launch-registry/postgres/LogPosition"
import { ReadReplica } from "@launch-registry/postgres/ReadReplica"
import { ReadSource, type Source } from "@launch-registry/postgres/ReadSource"
import { Cause, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** With it an answer to a write says how far the database was; a read with it sees at least that. */
export const POSITION_HEADER = "read-position"

/**
 * Read on the primary: the state of the service, streams, which follow it, uploads, whose absence would be asked of other backends, and
 * swaps across chains, which count what they ask of others.
 */
const PRIMARY = /^\/(?!api\/|compat\/datapi\/v|console(\?|$))|^\/api\/(system|stream|ipfs|bridge)(\/|\?|$)/

const isRead = ({ method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && !PRIMARY.test(url)

const isFaultOfReplica = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      (Cause.isFailReason(reason) && isOfReplica(reason.error)) ||
      (Cause.isDieReason(reason) && isOfReplica(reason.defect)),
  )

/**
 * Lets a replica of the database answer reads, and writes say a position for the reads that follow them. A read
 * that fails because its replica does, in a transaction for example, is repeated on the primary. Without a replica it is not there.
 */
export const readFromReplicas = HttpRouter.middleware(
  Effect.map(ReadReplica, (replica) => {
    if (replica === undefined) return (httpEffect) => httpEffect
    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (isRead(request)) {
          if (!replica.has(decodePosition(request.headers[POSITION_HEADER] ?? ""))) return httpEffect
          const source: Source = { replica }
          return Effect.catchCause(Effect.provideService(httpEffect, ReadSource, source), (cause) => {
            if (source.replica === undefined || !isFaultOfReplica(cause)) return Effect.failCause(cause)
            replica.noteFallback()
            return httpEffect
          })
        }
        if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return httpEffect
        return Effect.flatMap(httpEffect, (response) =>
          response.status >= 400
            ? Effect.succeed(response)
            : Effect.map(replica.written, (position) =>
                position === undefined
                  ? response
                  : HttpServerResponse.setHeader(response, POSITION_HEADER, encodePosition(position)),
              ),
        )
      })
  }),
  { global: true },
)
