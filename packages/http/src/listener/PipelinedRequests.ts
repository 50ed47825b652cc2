import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { interceptRequests } from "./InterceptRequests.ts"
import type { HttpLimits } from "./HttpLimits.ts"

/** Queued requests of a connection. */
interface Turns {
  readonly waiting: Array<() => void>
  /** Bytes received when the first of them was queued. */
  bytesBefore: number
  /** No more are accepted: the connection is closed after the last one. */
  isFull: boolean
}

/**
 * Node drops what follows an upgrade request in the same packet: what follows could start in the middle of another
 * request.
 */
const isLast = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

/**
 * Handles the requests of a connection one at a time. Node handles all pipelined requests concurrently, possibly
 * thousands, and buffers later responses until the first is read.
 */
export const answerInOrder = (
  server: Server,
  { pipelinedBytesMax, pipelinedMax }: Pick<HttpLimits, "pipelinedBytesMax" | "pipelinedMax">,
): Server => {
  const ofConnections = new WeakMap<Socket, Turns>()

  return interceptRequests(server, (request, response, answer) => {
    const { socket } = request
    // The connection was closed.
    if (!socket.writable) return
    const begin = () => {
      response.once("close", next)
      answer()
    }
    const next = () => {
      const turns = ofConnections.get(socket)
      const begin = socket.writable ? turns?.waiting.shift() : undefined
      if (begin === undefined) ofConnections.delete(socket)
      else begin()
    }
    const turns = ofConnections.get(socket)
    if (turns?.isFull) return void socket.pause()
    if (turns === undefined) ofConnections.set(socket, { waiting: [], bytesBefore: 0, isFull: isLast(request) })
    else {
      if (turns.waiting.length === 0) turns.bytesBefore = socket.bytesRead
      turns.waiting.push(begin)
      const isMuch = socket.bytesRead - turns.bytesBefore > pipelinedBytesMax
      turns.isFull = isMuch || turns.waiting.length >= pipelinedMax || isLast(request)
    }
    // Sends `Connection: close` and closes; the client must resend later requests.
    if (ofConnections.get(socket)!.isFull) response.shouldKeepAlive = false
    if (turns === undefined) begin()
  })
}
