import { Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import { AccessGuard } from "@launch-registry/domain/access/AccessGuard"
import { CurrentCaller } from "@launch-registry/domain/access/Caller"
import { type AccessLevel, requiredAccess } from "@launch-registry/domain/access/RequiredAccess"
import { IDEMPOTENCY_KEY } from "@launch-registry/domain/http/IdempotencyKey"
import { IdempotencyGuard } from "@launch-registry/domain/http/IdempotencyGuard"
import {
  checkSignedBody,
  CurrentGuardedRequest,
  type GuardedRequest,
} from "@launch-registry/http/requests/GuardedRequest"
import { RequestCaller } from "@launch-registry/http/requests/RequestCaller"
import { Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Access, type Identified } from "./Access.ts"
import { audited } from "./Audited.ts"

/** Namespace of the Idempotency-Keys of a caller. */
const namespaceOf = (caller: Identified["caller"]): string =>
  caller._tag === "Key" ? `key:${caller.family}` : `wallet:${caller.address}`

const NOTHING = new Uint8Array()

/** Implementation of the outermost middleware of endpoints. Those that need no credential are left as they are. */
export const AccessGuardLayer = Layer.effect(
  AccessGuard,
  Effect.gen(function* () {
    const access = yield* Access
    const trail = yield* audited

    const guarded = <E, R>(
      work: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      endpoint: HttpApiEndpoint.Top,
      level: AccessLevel,
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        // Only these requests are executed once for their key.
        const key = endpoint.middlewares.has(IdempotencyGuard) ? request.headers[IDEMPOTENCY_KEY] : undefined
        const { bodyHash, caller } = yield* access.identify(request, key)
        const seam: GuardedRequest = { bodyHash, isBodyChecked: false }
        const admitted = Effect.gen(function* () {
          yield* access.authorize(caller, level, endpoint.method)
          if (endpoint.payload.size === 0) yield* checkSignedBody(NOTHING)
          const response = yield* work
          // A handler that reads its body itself has to check it.
          if (bodyHash !== undefined && !seam.isBodyChecked && response.status < 300)
            return yield* Effect.die(new Error(`${endpoint.path} never checked the signed body`))
          return response
        })
        return yield* trail(admitted, { caller, endpoint, seam }).pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.provideService(RequestCaller, namespaceOf(caller)),
          Effect.provideService(CurrentGuardedRequest, seam),
        )
      }).pipe(
        Effect.catchIf(
          (error): error is Unauthenticated => error instanceof Unauthenticated,
          (error) => access.challenge(error),
        ),
      )

    return (httpEffect, { endpoint }) => {
      const level = requiredAccess(endpoint)
      if (access.guards(level)) return guarded(httpEffect, endpoint, level)
      return level === "open" || endpoint.method === "GET" ? httpEffect : Effect.andThen(access.ofOwnSite, httpEffect)
    }
  }),
)
