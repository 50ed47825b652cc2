import type { Server } from "node:http"

/**
 * Ignores Upgrade headers (RFC 9110, section 7.8), because no other protocol is offered. With an upgrade listener Node
 * would hand over every such request, reading neither its body nor later requests. Node drops what follows such a
 * request in the same packet, so `PipelinedRequests` closes the connection after the response.
 */
export const ignoreUpgrades = (server: Server): Server => {
  const on = server.on.bind(server) as (event: string, listener: (...args: Array<never>) => void) => Server
  server.on = (event: string, listener: (...args: Array<never>) => void): Server =>
    event === "upgrade" ? server : on(event, listener)
  return server
}
