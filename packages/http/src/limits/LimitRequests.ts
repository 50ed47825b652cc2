import { RateLimited } from "@launch-registry/domain/http/LimitErrors"
import { Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { respondError } from "../answers/Respond.ts"
import type { RateLimit } from "./BudgetLeases.ts"
import { RequestClient } from "./RequestClient.ts"
import { requestWeights } from "./RequestWeights.ts"
import { sharedBudgets, type Spending } from "./SharedBudgets.ts"

/** Name of the policy in the headers. */
const POLICY = `"default"`

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_HEADERS = ["ratelimit", "ratelimit-policy"] as const

const seconds = (millis: number): number => Math.max(1, Math.ceil(millis / 1_000))

/** Counts every request against the budget of its client, and refuses what is beyond it before anything is read of it. */
export const limitRequests = (limit: RateLimit) => {
  const weightOf = requestWeights(limit.requests)
  const windowSeconds = limit.windowMillis / 1_000
  const policy = `${POLICY};q=${limit.requests};w=${windowSeconds}`
  const headersOf = ({ endsInMillis, remaining }: Spending) => ({
    ratelimit: `${POLICY};r=${remaining};t=${seconds(endsInMillis)}`,
    "ratelimit-policy": policy,
  })
  const refusal = ({ endsInMillis }: Spending, weight: number) =>
    respondError(
      RateLimited.response,
      new RateLimited({
        ...{ limit: limit.requests, windowSeconds, weight },
        retryAfterSeconds: seconds(endsInMillis),
      }),
    )

  return HttpRouter.middleware(
    Effect.gen(function* () {
      const { spend } = yield* sharedBudgets(limit)
      return (httpEffect) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const weight = weightOf(request)
          if (weight === 0) return httpEffect
          return Effect.flatMap(RequestClient, (client = "") =>
            Effect.flatMap(spend(client, weight), (spending) =>
              HttpEffect.withPreResponseHandler(
                spending.isAllowed ? httpEffect : refusal(spending, weight),
                (_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headersOf(spending))),
              ),
            ),
          )
        })
    }),
    { global: true },
  )
}
