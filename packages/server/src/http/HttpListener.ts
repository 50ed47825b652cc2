import { createServer, type Server } from "node:http"
import { Effect } from "effect"
import { AddressCapsOfServer } from "./AddressCaps.ts"
import { capConnections } from "./ConnectionCaps.ts"
import { HttpLimitsOfServer } from "./HttpLimits.ts"
import { ignoreUpgrades } from "./IgnoredUpgrades.ts"
import { answerMalformedHttp, MALFORMED_HTTP_OPTIONS } from "./MalformedHttp.ts"
import { answerInTurn } from "./RequestTurns.ts"
import { endStalledResponses } from "./StalledResponses.ts"

/** How often Node looks for requests that take too long to come in. */
const LOOK_MILLIS = 1_000

/** Makes the HTTP server of Node, within the limits. */
export const httpListener = Effect.gen(function* () {
  const limits = yield* HttpLimitsOfServer
  const caps = yield* AddressCapsOfServer
  return (): Server => {
    const { headersMillis, requestMillis } = limits
    const server = createServer({
      ...MALFORMED_HTTP_OPTIONS,
      headersTimeout: headersMillis,
      requestTimeout: Math.max(headersMillis, requestMillis),
      connectionsCheckingInterval: Math.min(LOOK_MILLIS, headersMillis / 2),
    })
    const bounded = capConnections(endStalledResponses(ignoreUpgrades(server), limits), caps)
    // The last of these sees a request first: requests wait for their turn, and what is not valid HTTP is answered before anything counts it.
    return answerInTurn(answerMalformedHttp(bounded), limits)
  }
})
