import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Events of Node that deliver a request. */
const REQUEST_EVENTS: ReadonlyArray<string> = ["request", "checkContinue", "checkExpectation"]

const interceptors = new WeakMap<Server, Array<Around>>()

type Around = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Calls `around` before the listeners of `server`: it responds, or passes the request on with `next`. A listener cannot
 * do that, because Node calls all of them. The last interceptor runs first.
 */
export const interceptRequests = (server: Server, around: Around): Server => {
  const known = interceptors.get(server)
  if (known !== undefined) {
    known.push(around)
    return server
  }
  const all = [around]
  interceptors.set(server, all)
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (!REQUEST_EVENTS.includes(event)) return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const reach = (at: number): void => {
      if (at < 0) emit(event, request, response)
      else all[at]!(request, response, () => reach(at - 1))
    }
    reach(all.length - 1)
    return true
  }
  return server
}
