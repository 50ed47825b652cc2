import { createServer, type Server } from "node:http"
import { Effect } from "effect"
import { AddressCapsOfServer } from "./AddressCaps.ts"
import { capConnections } from "./ConnectionCaps.ts"
import { HttpLimitsOfServer } from "./HttpLimits.ts"
import { ignoreUpgrades } from "./IgnoredUpgrades.ts"
import { answerMalformedHttp } from "./MalformedHttp.ts"
import { answerInTurn } from "./RequestTurns.ts"
import { endStalledResponses } from "./StalledResponses.ts"

/** How often Node looks for requests that take too long to come in. */
const LOOK_MILLIS = 1_000

/** Makes the HTTP server of Node, within the limits. `listen`: what takes requests before the router sees them. */
export const httpListener = Effect.gen(function* () {
  const limits = yield* HttpLimitsOfServer
  const caps = yield* AddressCapsOfServer
  return (listen: (server: Server) => Server = (server) => server): Server => {
    const { headersMillis, requestMillis } = limits
    const server = createServer({
      headersTimeout: headersMillis,
      requestTimeout: Math.max(headersMillis, requestMillis),
      connectionsCheckingInterval: Math.min(LOOK_MILLIS, headersMillis / 2),
    })
    const bounded = endStalledResponses(ignoreUpgrades(answerMalformedHttp(server)), limits)
    // Each of these passes on what the next one is to see, so the turn of a request comes first.
    return answerInTurn(capConnections(listen(bounded), caps), limits)
  }
})
