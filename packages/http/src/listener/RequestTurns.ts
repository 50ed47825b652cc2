import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { aroundRequests } from "./AroundRequests.ts"
import type { HttpLimits } from "./HttpLimits.ts"

/** Requests of one connection behind the one that is being answered. */
interface Turns {
  readonly waiting: Array<() => void>
  /** What had come in on the connection when the first of them had to wait. */
  bytesBefore: number
  /** No more are taken: the connection ends after the last that waits. */
  isFull: boolean
}

/**
 * What came in one packet behind a request for an upgrade, Node drops: what follows could be the middle of another request, and
 * would be read as one.
 */
const isLast = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

/**
 * Answers the requests of a connection one after another. Node has all of them answered at once that came in a piece, thousands,
 * and holds what is answered to the later ones until the first is read.
 */
export const answerInTurn = (
  server: Server,
  { pipelinedBytesMax, pipelinedMax }: Pick<HttpLimits, "pipelinedBytesMax" | "pipelinedMax">,
): Server => {
  const ofConnections = new WeakMap<Socket, Turns>()

  return aroundRequests(server, (request, response, answer) => {
    const { socket } = request
    // It was ended: there is nobody to answer.
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
    // Says `Connection: close`, and closes: who sends more has to send it again.
    if (ofConnections.get(socket)!.isFull) response.shouldKeepAlive = false
    if (turns === undefined) begin()
  })
}
