import { Api } from "@launch-registry/domain/Api"
import { requireCredential } from "@launch-registry/domain/access/Caller"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { DeadLetters, type LetterPosition, type PoisonPosition } from "@launch-registry/domain/system/DeadLetters"
import { IndexerJobs } from "@launch-registry/domain/system/IndexerJobs"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { prefersHtml } from "@launch-registry/http/answers/AcceptHeader"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { bigintPart, cursorOf, digestPart, numberPart, timePart } from "@launch-registry/http/answers/Cursor"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Health } from "./Health.ts"
import { indexPage } from "./IndexPage.ts"
import { IndexerStatus } from "./IndexerStatus.ts"
import { rpcEndpoints } from "./RpcEndpoints.ts"

const { respond, respondAs, respondList } = answersOf("system")

const [OFFSET_MAX, POSITION_MAX] = [10n ** 18n - 1n, 1e9 - 1]
const letterCursor = cursorOf<LetterPosition>({ logOffset: bigintPart(OFFSET_MAX), position: numberPart(POSITION_MAX) })
const poisonCursor = cursorOf<PoisonPosition>({ receivedAt: timePart, digest: digestPart })

/** Handlers of health, readiness, and what operators do. */
export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    const endpoints = yield* rpcEndpoints
    const jobs = yield* IndexerJobs
    const unread = yield* DeadLetters
    const byOperator = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.andThen(requireCredential, work)
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
      startJob: ({ payload }) =>
        byOperator(
          Effect.map(jobs.add(payload), (data) =>
            respond("startJob", {
              data,
              message: data.state === "queued" ? "The leader starts it in its turn" : "It runs already",
            }),
          ),
        ),
      jobs: () => byOperator(Effect.map(jobs.list, (data) => respond("jobs", { data }))),
      cancelJob: ({ params: { id } }) =>
        byOperator(Effect.map(jobs.cancel(id), (data) => respond("cancelJob", { data }))),
      deadLetters: ({ query }) =>
        byOperator(
          respondList("deadLetters", {
            ...{ key: "data", paging: query, cursor: letterCursor("dead letters"), defaultLimit: PAGE_LIMIT },
            read: unread.letters,
          }),
        ),
      deadLetter: ({ params: { id } }) =>
        byOperator(Effect.map(unread.letter(id), (data) => respond("deadLetter", { data }))),
      poison: ({ query }) =>
        byOperator(
          respondList("poison", {
            ...{ key: "data", paging: query, cursor: poisonCursor("poison"), defaultLimit: PAGE_LIMIT },
            read: unread.poison,
          }),
        ),
    } satisfies Answering<"system">)
  }),
)
