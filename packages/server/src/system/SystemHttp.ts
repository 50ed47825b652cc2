import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { prefersHtml } from "../http/AcceptHeader.ts"
import { respondData } from "../http/Respond.ts"
import { Health } from "./Health.ts"
import { indexPage } from "./IndexPage.ts"
import { IndexerStatus } from "./IndexerStatus.ts"

/** Handlers of health and readiness. */
export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    return handlers.handleAll({
      health: ({ request }) =>
        Effect.map(health.report, (report) =>
          HttpServerResponse.setHeader(
            prefersHtml(request.headers.accept)
              ? indexPage(report)
              : respondData(report, "Token Launch Registry is running"),
            "vary",
            "accept",
          ),
        ),
      live: () => Effect.succeed(respondData({ live: true })),
      ready: () => Effect.map(health.readiness, (readiness) => respondData(readiness)),
      rpc: () => Effect.map(health.rpc, (report) => respondData(report)),
      indexer: () => Effect.map(indexer.report, (report) => respondData(report)),
    })
  }),
)
