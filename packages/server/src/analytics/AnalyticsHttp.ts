import { Api } from "@launch-registry/domain/Api"
import { ANALYTICS_SECONDS, RANKING_LIMIT, RANKING_SORT } from "@launch-registry/domain/analytics/AnalyticsApi"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { sharedFor } from "@launch-registry/http/answers/CacheControl"
import { Analytics } from "./Analytics.ts"

const { respondRead } = answersOf("analytics")

const CACHED = sharedFor(ANALYTICS_SECONDS)

const withData = <A, E>(read: Effect.Effect<A, E>) => Effect.map(read, (data) => ({ data }))

/** Handlers of `/api/analytics`. */
export const AnalyticsHttp = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fn(function* (handlers) {
    const analytics = yield* Analytics

    return handlers.handleAll({
      volume: ({ query: { by: _by, ...filter }, request }) =>
        respondRead("volume", request, withData(analytics.volume(filter)), CACHED),
      tokens: ({ query: { limit = RANKING_LIMIT, sort = RANKING_SORT, ...filter }, request }) =>
        respondRead("tokens", request, withData(analytics.tokens(filter, { sort, limit })), CACHED),
      traders: ({ query: { limit = RANKING_LIMIT, ...filter }, request }) =>
        respondRead("traders", request, withData(analytics.traders(filter, limit)), CACHED),
    } satisfies Answering<"analytics">)
  }),
)
