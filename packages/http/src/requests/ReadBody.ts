import { IncomingMessage } from "node:http"
import { type Busy, RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import { BodyTooLarge } from "@launch-registry/domain/http/RequestErrors"
import { ByteSize, Effect, type Scope, Stream } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import { makeBodyPace } from "./BodyPace.ts"
import { HttpLimitsOfServer } from "../listener/HttpLimits.ts"
import { JsonBodyMemoryOfServer } from "./JsonBodyMemory.ts"

type BodyFault = HttpServerError.HttpServerError | BodyTooLarge | RequestTimeout

/** Whether effect rejected a body as larger than `MaxBodySize`. */
export const isBodyTooLarge = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError &&
  error.reason._tag === "RequestParseError" &&
  error.reason.reason === "BodyTooLarge"

const bytesMax = Effect.map(HttpIncomingMessage.MaxBodySize, (limit) =>
  limit === undefined ? Number.POSITIVE_INFINITY : ByteSize.toNumberUnsafe(limit),
)

/** Whether the body has arrived completely, as most do with their headers. */
const hasCome = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  !(source instanceof IncomingMessage) || source.complete

const announcedBytes = ({ headers }: HttpServerRequest.HttpServerRequest): number | undefined => {
  const length = headers["content-length"]
  return length === undefined ? undefined : Number(length)
}

/**
 * Reads the body of a request, within `MaxBodySize` and at the minimum rate. `claim` is called with the size of each
 * chunk before more is read.
 */
export const readBody = <E = never>(
  request: HttpServerRequest.HttpServerRequest,
  claim: (bytes: number) => Effect.Effect<void, E> = () => Effect.void,
): Effect.Effect<Uint8Array, BodyFault | E> =>
  Effect.gen(function* () {
    // Node hands over a request before it parses the rest of the packet, which mostly holds all of the body.
    yield* Effect.yieldNow
    if (hasCome(request)) {
      const body = new Uint8Array(yield* request.arrayBuffer)
      yield* claim(body.length)
      return body
    }
    const limitBytes = yield* bytesMax
    const tooLarge = new BodyTooLarge({ limitBytes })
    if ((announcedBytes(request) ?? 0) > limitBytes) return yield* tooLarge
    const { bodySlackMillis } = yield* HttpLimitsOfServer
    const pieces: Array<Uint8Array> = []
    let bytes = 0
    const pace = makeBodyPace(() => new RequestTimeout(), bodySlackMillis)
    const take = (piece: Uint8Array): Effect.Effect<void, BodyTooLarge | E> => {
      bytes += piece.length
      pieces.push(piece)
      return bytes > limitBytes ? Effect.fail(tooLarge) : claim(piece.length)
    }
    yield* Stream.runForEach(
      pace.keptBy(request.stream, ({ length }) => length),
      take,
    )
    return Buffer.concat(pieces)
  })

/** Reads a JSON body within the memory limit. The memory is released with the response. */
export const readJsonBody: (
  request: HttpServerRequest.HttpServerRequest,
) => Effect.Effect<Uint8Array, BodyFault | Busy, Scope.Scope> = Effect.fnUntraced(function* (request) {
  const memory = yield* JsonBodyMemoryOfServer
  return yield* readBody(request, yield* memory.claims)
})
