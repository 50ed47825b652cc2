import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AddressCapsOfServer } from "../listener/AddressCaps.ts"

/**
 * The API key that authenticates a request, by what stays when it is rotated, for whatever checks keys to provide; nobody has one by default.
 * Never an identity that anybody can make more of, such as a wallet: each would have limits of its own.
 */
export const AuthenticatedKey = Context.Reference<
  (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string | undefined>
>("@launch-registry/http/limits/AuthenticatedKey", { defaultValue: () => () => Effect.undefined })

/** Whom the current request counts for: an API key, or else an address. Absent while nothing is counted. */
export const RequestClient = Context.Reference<string | undefined>("@launch-registry/http/limits/RequestClient", {
  defaultValue: () => undefined,
})

/** Sets the client of every request. */
export const identifyClients = HttpRouter.middleware(
  Effect.gen(function* () {
    const keyOf = yield* AuthenticatedKey
    const { callerOf } = yield* AddressCapsOfServer
    const clientOf = (request: HttpServerRequest.HttpServerRequest, key: string | undefined) =>
      key === undefined
        ? `address ${callerOf(
            Option.getOrElse(request.remoteAddress, () => ""),
            request.headers["x-forwarded-for"],
          )}`
        : `key ${key}`
    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(keyOf(request), (key) =>
          Effect.provideService(httpEffect, RequestClient, clientOf(request, key)),
        ),
      )
  }),
  { global: true },
)
