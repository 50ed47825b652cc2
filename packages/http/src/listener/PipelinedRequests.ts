import type { Server } from "node:http"
import type { Socket } from "node:net"
import { interceptRequests } from "./InterceptRequests.ts"
import type { HttpLimits } from "./HttpLimits.ts"

/** Queued requests of a connection. */
export interface Turns {
  readonly waiting: Array<() => void>
  /** No more are accepted: the connection is closed after the last one. */
  isFull: boolean
}

/**
 * Handles the requests of a connection one at a time. Node handles all pipelined requests concurrently, possibly
 * thousands, and buffers later responses until the first is read. `ofConnections` has those with a request that is not answered.
 */
export const answerInOrder = (
  server: Server,
  { pipelinedMax }: Pick<HttpLimits, "pipelinedMax">,
  ofConnections: WeakMap<Socket, Turns> = new WeakMap(),
): Server =>
  interceptRequests(server, (request, response, answer) => {
    const { socket } = request
    // The connection was closed.
    if (!socket.writable) return
    const begin = () => {
      response.once("close", next)
      answer()
    }
    const next = () => {
      const begin = socket.writable ? ofConnections.get(socket)?.waiting.shift() : undefined
      if (begin === undefined) ofConnections.delete(socket)
      else begin()
    }
    const known = ofConnections.get(socket)
    if (known?.isFull) return void socket.pause()
    const turns = known ?? { waiting: [], isFull: false }
    if (known === undefined) ofConnections.set(socket, turns)
    else turns.waiting.push(begin)
    // Node drops what follows a request for an upgrade in the same packet: what is read then could start within another request.
    turns.isFull = turns.waiting.length >= pipelinedMax || request.headers.upgrade !== undefined
    // Sends `Connection: close` and closes; the client must resend later requests.
    if (turns.isFull) response.shouldKeepAlive = false
    if (known === undefined) begin()
  })
