import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "../http/Answers.ts"
import { Health } from "./Health.ts"
import { IndexerStatus } from "./IndexerStatus.ts"

const { respond } = answersOf("system")

/** Handlers of health and readiness. */
export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    return handlers.handleAll({
      health: () =>
        Effect.map(health.report, (data) => respond("health", { data, message: "Token Launch Registry is running" })),
      live: () => Effect.succeed(respond("live", { data: { live: true } })),
      ready: () => Effect.map(health.readiness, (data) => respond("ready", { data })),
      rpc: () => Effect.map(health.rpc, (data) => respond("rpc", { data })),
      indexer: () => Effect.map(indexer.report, (data) => respond("indexer", { data })),
    } satisfies Answering<"system">)
  }),
)
