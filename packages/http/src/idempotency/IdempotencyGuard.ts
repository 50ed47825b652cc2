import { IdempotencyGuard } from "@launch-registry/domain/http/IdempotencyGuard"
import { IDEMPOTENCY_KEY, IdempotencyKey } from "@launch-registry/domain/http/IdempotencyKey"
import { Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answeredBefore, IdempotentRequests } from "./IdempotentRequests.ts"
import { RequestCaller } from "../requests/RequestCaller.ts"

const isKey = Schema.is(IdempotencyKey)

const readsJson = ({ payload }: HttpApiEndpoint.Top): boolean =>
  [...payload.values()].every(({ encoding }) => encoding._tag === "Json")

/**
 * Implementation of the middleware that stands before every POST, within `RequestGuard`: the body it reads is sound JSON
 * with every digit. A form is read by its handler, which claims the key then.
 */
export const IdempotencyGuardLayer = Layer.effect(
  IdempotencyGuard,
  Effect.gen(function* () {
    const requests = yield* IdempotentRequests
    return (httpEffect, { endpoint }) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const key = request.headers[IDEMPOTENCY_KEY]
        // A malformed one is refused by the schema of the endpoint, before its handler runs.
        if (key === undefined || !isKey(key)) return httpEffect
        const claimed = readsJson(endpoint)
          ? request.text.pipe(
              Effect.orDie,
              Effect.flatMap((text) => requests.claim(() => JSON.parse(text))),
              Effect.andThen(httpEffect),
            )
          : httpEffect
        return Effect.flatMap(RequestCaller, (caller) =>
          requests.once({ key, caller, operation: `${endpoint.method} ${endpoint.path}`, url: request.url }, claimed),
        ).pipe(answeredBefore)
      })
  }),
)
