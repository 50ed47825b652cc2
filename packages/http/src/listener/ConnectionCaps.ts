import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { Effect, Schema } from "effect"
import type { AddressCaps } from "./AddressCaps.ts"
import { interceptRequests } from "./InterceptRequests.ts"
import { noteOf } from "./RequestNote.ts"
import { finalResponse, rejectConnection } from "./RawResponse.ts"

/** A rejected connection is closed after this time: it is not counted. */
const LINGER_MILLIS = 1_000
const RETRY_AFTER = { "retry-after": "2" }

const { code, httpStatus } = LimitReached.response

/** Limits the connections of each address; behind a trusted proxy, its requests in flight. */
export const capConnections = (server: Server, caps: AddressCaps): Server => {
  const limit = caps.limits.connections
  const envelope = Effect.runSync(
    Schema.encodeEffect(LimitReached.response)(new LimitReached({ resource: "connections", limit })),
  )
  const refusal = finalResponse(envelope, RETRY_AFTER)

  const peerOf = (socket: Socket): string => socket.remoteAddress ?? ""

  server.on("connection", (socket) => {
    if (caps.isProxy(peerOf(socket))) return
    const leave = caps.enter("connections", caps.callerOf(peerOf(socket), undefined))
    if (leave !== undefined) return void socket.once("close", leave)
    rejectConnection(socket, httpStatus, refusal, LINGER_MILLIS)
  })

  if (caps.limits.trustedProxies.length === 0) return server
  return interceptRequests(server, (request, response, next) => {
    const peer = peerOf(request.socket)
    if (!caps.isProxy(peer)) return next()
    const leave = caps.enter("connections", caps.callerOf(peer, String(request.headers["x-forwarded-for"] ?? "")))
    if (leave !== undefined) {
      response.once("close", leave)
      return next()
    }
    // The body is not read, so the connection is closed.
    noteOf(request).refusal = code
    response.writeHead(httpStatus, refusal.headers).end(refusal.body)
  })
}
