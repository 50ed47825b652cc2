import { IncomingMessage } from "node:http"
import { type BodiesBusy, BodyTooSlow } from "@launch-registry/domain/http/LimitErrors"
import { BodyTooLarge } from "@launch-registry/domain/http/RequestErrors"
import { ByteSize, Effect, type Scope, Stream } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import { makeBodyPace } from "./BodyPace.ts"
import { HttpLimitsOfServer } from "./HttpLimits.ts"
import { JsonBodyMemoryOfServer } from "./JsonBodyMemory.ts"

type BodyFault = HttpServerError.HttpServerError | BodyTooLarge | BodyTooSlow

/** Whether effect has found a body to be larger than `MaxBodySize`. */
export const isBodyTooLarge = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError &&
  error.reason._tag === "RequestParseError" &&
  error.reason.reason === "BodyTooLarge"

const bytesMax = Effect.map(HttpIncomingMessage.MaxBodySize, (limit) =>
  limit === undefined ? Number.POSITIVE_INFINITY : ByteSize.toNumberUnsafe(limit),
)

/** Whether all of the body has come. */
const hasCome = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  !(source instanceof IncomingMessage) || source.complete

const announcedBytes = ({ headers }: HttpServerRequest.HttpServerRequest): number | undefined => {
  const length = headers["content-length"]
  return length === undefined ? undefined : Number(length)
}

/**
 * The body of a request, within `MaxBodySize` and at the pace that a body has to keep. `claim` is called with the length of what
 * came, before more is read.
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
    const pace = makeBodyPace(() => new BodyTooSlow(), bodySlackMillis)
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

/** The body of a request with JSON, when there is room for it. Its room is given back with the answer. */
export const readJsonBody: (
  request: HttpServerRequest.HttpServerRequest,
) => Effect.Effect<Uint8Array, BodyFault | BodiesBusy, Scope.Scope> = Effect.fnUntraced(function* (request) {
  const memory = yield* JsonBodyMemoryOfServer
  return yield* readBody(request, yield* memory.claims)
})
