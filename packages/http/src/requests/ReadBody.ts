import { BodyTooLarge } from "@launch-registry/domain/http/RequestErrors"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"

/** Whether effect rejected a body as larger than `MaxBodySize`. */
export const isBodyTooLarge = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError &&
  error.reason._tag === "RequestParseError" &&
  error.reason.reason === "BodyTooLarge"

/** A request has a body of more than `MaxBodySize`. */
export const bodyTooLarge = Effect.map(
  HttpIncomingMessage.MaxBodySize,
  (limit) => new BodyTooLarge({ limitBytes: limit === undefined ? 0 : ByteSize.toNumberUnsafe(limit) }),
)

/** The body of a request, within `MaxBodySize`. Node bounds the time that it takes to arrive. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
): Effect.Effect<Uint8Array, HttpServerError.HttpServerError | BodyTooLarge> =>
  Effect.flatMap(bodyTooLarge, (tooLarge) =>
    Number(request.headers["content-length"] ?? 0) > tooLarge.limitBytes
      ? Effect.fail(tooLarge)
      : request.arrayBuffer.pipe(
          Effect.map((bytes) => new Uint8Array(bytes)),
          Effect.mapError((error) => (isBodyTooLarge(error) ? tooLarge : error)),
        ),
  )
