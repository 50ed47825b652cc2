import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respondData } from "../http/Respond.ts"
import { Health } from "./Health.ts"
import { IndexerStatus } from "./IndexerStatus.ts"

/** Handlers of health and readiness. */
export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    return handlers.handleAll({
      health: () => Effect.map(health.report, (report) => respondData(report, "Token Launch Registry is running")),
      live: () => Effect.succeed(respondData({ live: true })),
      ready: () => Effect.map(health.readiness, (readiness) => respondData(readiness)),
      rpc: () => Effect.map(health.rpc, (report) => respondData(report)),
      indexer: () => Effect.map(indexer.report, (report) => respondData(report)),
    })
  }),
)
