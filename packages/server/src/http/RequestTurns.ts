import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { HttpLimits } from "./HttpLimits.ts"

/** Events of Node that bring a request to be answered. */
const REQUESTS = new Set(["request", "checkContinue", "checkExpectation"])

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
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean

  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (!REQUESTS.has(event)) return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const { socket } = request
    // It was ended: there is nobody to answer.
    if (!socket.writable) return true
    const begin = () => {
      response.once("close", next)
      emit(event, ...args)
    }
    const next = () => {
      const turns = ofConnections.get(socket)
      const begin = socket.writable ? turns?.waiting.shift() : undefined
      if (begin === undefined) ofConnections.delete(socket)
      else begin()
    }
    const turns = ofConnections.get(socket)
    if (turns?.isFull) {
      socket.pause()
      return true
    }
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
    return true
  }
  return server
}
