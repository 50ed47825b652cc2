import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { HttpLimits } from "./HttpLimits.ts"

/** Events of Node that bring a request to be answered. */
const REQUESTS = new Set(["request", "checkContinue", "checkExpectation"])

/** Requests of one connection behind the one that is being answered. */
interface Turns {
  readonly waiting: Array<() => void>
  /** No more are taken: the connection ends after the last that waits. */
  isFull: boolean
}

/**
 * Answers the requests of a connection one after another. Node has all of them answered at once that came in a piece, thousands,
 * and holds what is answered to the later ones until the first is read.
 */
export const answerInTurn = (server: Server, { pipelinedMax }: Pick<HttpLimits, "pipelinedMax">): Server => {
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
    if (turns === undefined) {
      ofConnections.set(socket, { waiting: [], isFull: false })
      begin()
    } else if (turns.isFull) socket.pause()
    else {
      turns.waiting.push(begin)
      turns.isFull = turns.waiting.length >= pipelinedMax
      // Says `Connection: close`, and closes: who sends more has to send it again.
      if (turns.isFull) response.shouldKeepAlive = false
    }
    return true
  }
  return server
}
