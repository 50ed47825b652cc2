import { IpfsUnavailable } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { respondError } from "../http/Respond.ts"

/** Answers an upload that no store took, with the header `Retry-After` when it is known when to come back. */
export const withRetryAfter = <A, E, R>(effect: Effect.Effect<A, E | IpfsUnavailable, R>) =>
  Effect.catchIf(
    effect,
    (error): error is IpfsUnavailable => error instanceof IpfsUnavailable,
    (error) =>
      Effect.map(respondError(IpfsUnavailable.response, error), (response) =>
        error.retryAfterSeconds === undefined
          ? response
          : HttpServerResponse.setHeader(response, "retry-after", String(error.retryAfterSeconds)),
      ),
  )
