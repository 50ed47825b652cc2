import type { Server } from "node:http"

/**
 * Answers requests that ask for another protocol as if they did not (RFC 9110, section 7.8): none is offered here. Node takes a
 * server with a listener for upgrades to accept all of them, and then reads neither the body nor what follows on the connection. What
 * comes in one packet behind such a request Node drops all the same, so `RequestTurns` ends the connection with its answer.
 */
export const ignoreUpgrades = (server: Server): Server => {
  const on = server.on.bind(server) as (event: string, listener: (...args: Array<never>) => void) => Server
  server.on = (event: string, listener: (...args: Array<never>) => void): Server =>
    event === "upgrade" ? server : on(event, listener)
  return server
}
