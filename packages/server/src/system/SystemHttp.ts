import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { prefersHtml } from "@launch-registry/http/answers/AcceptHeader"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Health } from "./Health.ts"
import { indexPage } from "./IndexPage.ts"
import { IndexerStatus } from "./IndexerStatus.ts"
import { RpcEndpoints } from "./RpcEndpoints.ts"

const { respond, respondAs } = answersOf("system")

/** Handlers of health, readiness, and what operators do. */
export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    const endpoints = yield* RpcEndpoints
    return withJsonBodies(handlers).handleAll({
      health: ({ request }) =>
        Effect.map(health.report, (data) =>
          prefersHtml(request.headers.accept)
            ? respondAs("health", HttpServerResponse.setHeader(indexPage(data), "vary", "accept"))
            : respond("health", { data, message: "Token Launch Registry is running" }, { vary: "accept" }),
        ),
      live: () => Effect.succeed(respond("live", { data: { live: true } })),
      ready: () => Effect.map(health.readiness, (data) => respond("ready", { data })),
      rpc: () => Effect.map(health.rpc, (data) => respond("rpc", { data })),
      cordon: ({ params: { endpoint }, payload }) =>
        Effect.map(endpoints.cordon(endpoint, payload.reason), (cordon) =>
          respond("cordon", { data: { endpoint, cordon }, message: "Cordoned: in effect within seconds" }),
        ),
      uncordon: ({ params: { endpoint } }) =>
        Effect.map(endpoints.uncordon(endpoint), () =>
          respond("uncordon", { data: { endpoint, cordon: null }, message: "Not cordoned: in effect within seconds" }),
        ),
      indexer: () => Effect.map(indexer.report, (data) => respond("indexer", { data })),
    } satisfies Answering<"system">)
  }),
)
