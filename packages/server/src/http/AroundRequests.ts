import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Events of Node that bring a request to be answered. */
const REQUEST_EVENTS: ReadonlyArray<string> = ["request", "checkContinue", "checkExpectation"]

type Around = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Lets `around` see the requests of `server` before its listeners do: it answers a request, or passes it on with `next`. Listeners
 * cannot do that: Node calls all of them. What goes around last sees a request first.
 */
export const aroundRequests = (server: Server, around: Around): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (!REQUEST_EVENTS.includes(event)) return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    around(request, response, () => void emit(event, ...args))
    return true
  }
  return server
}
