import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { TooManyConnections } from "@launch-registry/domain/http/LimitErrors"
import { Effect, Schema } from "effect"
import type { AddressCaps } from "./AddressCaps.ts"
import { lastAnswer, rawAnswer } from "./RawAnswer.ts"

/** A connection that was refused stays open so long that its client can read why. */
const REFUSAL_MILLIS = 1_000
const RETRY_AFTER = { "retry-after": "2" }

const { httpStatus } = TooManyConnections.response

/** Bounds the connections of each address; behind a trusted proxy, where they are those of many, its requests under way. */
export const capConnections = (server: Server, caps: AddressCaps): Server => {
  const limit = caps.limits.connections
  const envelope = Effect.runSync(Schema.encodeEffect(TooManyConnections.response)(new TooManyConnections({ limit })))
  const refusal = lastAnswer(envelope, RETRY_AFTER)
  const rawRefusal = rawAnswer(`${httpStatus} Too Many Requests`, refusal)

  const peerOf = (socket: Socket): string => socket.remoteAddress ?? ""

  server.on("connection", (socket) => {
    if (caps.isProxy(peerOf(socket))) return
    const leave = caps.enter("connections", caps.callerOf(peerOf(socket), undefined))
    if (leave !== undefined) return void socket.once("close", leave)
    socket.end(rawRefusal)
    const timer = setTimeout(() => socket.destroy(), REFUSAL_MILLIS).unref()
    socket.once("close", () => clearTimeout(timer))
  })

  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event !== "request" && event !== "checkContinue") return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const peer = peerOf(request.socket)
    if (!caps.isProxy(peer)) return emit(event, ...args)
    const leave = caps.enter("connections", caps.callerOf(peer, String(request.headers["x-forwarded-for"] ?? "")))
    if (leave !== undefined) {
      response.once("close", leave)
      return emit(event, ...args)
    }
    // Its body is not read, so the connection ends with the answer.
    response.writeHead(httpStatus, refusal.headers).end(refusal.body)
    return true
  }
  return server
}
