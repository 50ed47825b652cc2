import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"
import { accessLog } from "./AccessLog.ts"
import { AddressCapsOfServer } from "./AddressCaps.ts"
import { capConnections } from "./ConnectionCaps.ts"
import { HttpLimitsOfServer } from "./HttpLimits.ts"
import { answerMalformedHttp, MALFORMED_HTTP_OPTIONS } from "./MalformedHttp.ts"
import { observeRequests } from "./ObserveRequests.ts"
import { answerInOrder, type Turns } from "./PipelinedRequests.ts"
import { RequestFiguresOfServer } from "./RequestFigures.ts"
import { endStalledResponses } from "./StalledResponses.ts"
import { UpgradedPathsOfServer } from "./UpgradedPaths.ts"
import { WholeResponse } from "./WholeResponse.ts"

/** How often Node checks for request timeouts. */
const LOOK_MILLIS = 1_000

/** Creates Node's HTTP server with all limits. */
export const httpListener = Effect.gen(function* () {
  const limits = yield* HttpLimitsOfServer
  const caps = yield* AddressCapsOfServer
  const upgraded = yield* UpgradedPathsOfServer
  const observers = { figures: yield* RequestFiguresOfServer, log: yield* accessLog }
  return (): Server => {
    const { headersMillis, keepAliveMillis, requestMillis } = limits
    const inUse = new WeakMap<Socket, Turns>()
    const server = createServer({
      ...MALFORMED_HTTP_OPTIONS,
      ServerResponse: WholeResponse,
      headersTimeout: headersMillis,
      keepAliveTimeout: keepAliveMillis,
      requestTimeout: Math.max(headersMillis, requestMillis),
      connectionsCheckingInterval: Math.min(LOOK_MILLIS, headersMillis / 2),
      // Elsewhere no other protocol is offered, so the header is ignored (RFC 9110, section 7.8).
      // Nor behind a request that is not answered: its answer would come in the midst of the other protocol.
      shouldUpgradeCallback: ({ headers, method, socket, url = "" }) =>
        method === "GET" &&
        headers.upgrade?.toLowerCase() === "websocket" &&
        upgraded.has(url.split("?", 1)[0]!) &&
        !inUse.has(socket),
    })
    const bounded = capConnections(endStalledResponses(server, limits), caps)
    // The last interceptor runs first: requests are queued, observed, and malformed ones rejected before the caps.
    return answerInOrder(observeRequests(answerMalformedHttp(bounded), observers), limits, inUse)
  }
})
