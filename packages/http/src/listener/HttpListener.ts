import { createServer, type Server } from "node:http"
import { Effect } from "effect"
import { AddressCapsOfServer } from "./AddressCaps.ts"
import { capConnections } from "./ConnectionCaps.ts"
import { HttpLimitsOfServer } from "./HttpLimits.ts"
import { ignoreUpgrades } from "./IgnoredUpgrades.ts"
import { answerMalformedHttp, MALFORMED_HTTP_OPTIONS } from "./MalformedHttp.ts"
import { answerInOrder } from "./PipelinedRequests.ts"
import { endStalledResponses } from "./StalledResponses.ts"

/** How often Node checks for request timeouts. */
const LOOK_MILLIS = 1_000

/** Creates Node's HTTP server with all limits. */
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
    // The last interceptor runs first: requests are queued, and malformed ones rejected before they are counted.
    return answerInOrder(answerMalformedHttp(bounded), limits)
  }
})
