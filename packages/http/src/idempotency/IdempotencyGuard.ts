import { IdempotencyGuard } from "@launch-registry/domain/http/IdempotencyGuard"
import { IDEMPOTENCY_KEY, IdempotencyKey } from "@launch-registry/domain/http/IdempotencyKey"
import { Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { answeredBefore, IdempotentRequests } from "./IdempotentRequests.ts"
import { JsonBody, jsonSchemaOf } from "../requests/JsonBody.ts"
import { RequestCaller } from "../requests/RequestCaller.ts"

const isKey = Schema.is(IdempotencyKey)

/**
 * Implementation of the middleware of every POST, within `RequestGuard`, which has parsed the body. Handlers of forms
 * read their body and then claim the key themselves.
 */
export const IdempotencyGuardLayer = Layer.effect(
  IdempotencyGuard,
  Effect.gen(function* () {
    const requests = yield* IdempotentRequests
    return (httpEffect, { endpoint }) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const key = request.headers[IDEMPOTENCY_KEY]
        // The schema of the endpoint rejects a malformed key before the handler runs.
        if (key === undefined || !isKey(key)) return httpEffect
        const claimed =
          jsonSchemaOf(endpoint) === undefined
            ? httpEffect
            : Effect.flatMap(JsonBody, (body) =>
                Effect.andThen(
                  requests.claim(() => body),
                  httpEffect,
                ),
              )
        return Effect.flatMap(RequestCaller, (caller) =>
          requests.once({ key, caller, operation: `${endpoint.method} ${endpoint.path}`, url: request.url }, claimed),
        ).pipe(answeredBefore)
      })
  }),
)
