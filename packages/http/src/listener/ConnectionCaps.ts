import type { Server } from "node:http"
import type { Socket } from "node:net"
import { TooManyConnections } from "@launch-registry/domain/http/LimitErrors"
import { Effect, Schema } from "effect"
import type { AddressCaps } from "./AddressCaps.ts"
import { aroundRequests } from "./AroundRequests.ts"
import { lastAnswer, refuseConnection } from "../answers/RawAnswer.ts"

/** A connection over the cap stays open only so long: refused ones are not counted. */
const LINGER_MILLIS = 1_000
const RETRY_AFTER = { "retry-after": "2" }

const { httpStatus } = TooManyConnections.response

/** Bounds the connections of each address; behind a trusted proxy, where they are those of many, its requests under way. */
export const capConnections = (server: Server, caps: AddressCaps): Server => {
  const limit = caps.limits.connections
  const envelope = Effect.runSync(Schema.encodeEffect(TooManyConnections.response)(new TooManyConnections({ limit })))
  const refusal = lastAnswer(envelope, RETRY_AFTER)

  const peerOf = (socket: Socket): string => socket.remoteAddress ?? ""

  server.on("connection", (socket) => {
    if (caps.isProxy(peerOf(socket))) return
    const leave = caps.enter("connections", caps.callerOf(peerOf(socket), undefined))
    if (leave !== undefined) return void socket.once("close", leave)
    refuseConnection(socket, httpStatus, refusal, LINGER_MILLIS)
  })

  return aroundRequests(server, (request, response, next) => {
    const peer = peerOf(request.socket)
    if (!caps.isProxy(peer)) return next()
    const leave = caps.enter("connections", caps.callerOf(peer, String(request.headers["x-forwarded-for"] ?? "")))
    if (leave !== undefined) {
      response.once("close", leave)
      return next()
    }
    // Its body is not read, so the connection ends with the answer.
    response.writeHead(httpStatus, refusal.headers).end(refusal.body)
  })
}
