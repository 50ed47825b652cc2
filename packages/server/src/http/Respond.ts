import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ErrorResponse } from "@launch-registry/domain/http/ErrorEnvelope"

/** The envelope and status of an error, for answers that are made outside a declared endpoint. */
export const respondError = <E>(
  response: ErrorResponse<E>,
  error: E,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Schema.encodeEffect(response)(error).pipe(
    Effect.orDie,
    Effect.map((body) => HttpServerResponse.jsonUnsafe(body, { status: response.httpStatus })),
  )

/** `{success: true, data}` from rows the database already checked: not encoded through a schema again. */
export const respondData = <A>(data: A, message?: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(message === undefined ? { success: true, data } : { success: true, data, message })
