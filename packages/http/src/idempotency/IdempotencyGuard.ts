import { IdempotencyGuard } from "@launch-registry/domain/http/IdempotencyGuard"
import { IDEMPOTENCY_KEY, IdempotencyKey } from "@launch-registry/domain/http/IdempotencyKey"
import { Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { answeredBefore, IdempotentRequests } from "./IdempotentRequests.ts"
import { JsonBody, jsonSchemaOf } from "../requests/JsonBody.ts"
import { RequestCaller } from "../requests/RequestCaller.ts"

const isKey = Schema.is(IdempotencyKey)

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
        const claimed =
          jsonSchemaOf(endpoint) === undefined
            ? httpEffect
            : Effect.flatMap(JsonBody, (body) => Effect.andThen(requests.claim(() => body), httpEffect))
        return Effect.flatMap(RequestCaller, (caller) =>
          requests.once({ key, caller, operation: `${endpoint.method} ${endpoint.path}`, url: request.url }, claimed),
        ).pipe(answeredBefore)
      })
  }),
)
