import { Context, Effect } from "effect"
import { HttpBody, HttpPlatform, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { codingFor } from "./AcceptHeader.ts"
import { CompressedAnswers } from "./CompressedAnswers.ts"

/** What is shorter fits into one packet, compressed or not. */
const BYTES_MIN = 1_400

/** The next ones save little, and take twice the time. */
const LEVELS = { br: 4, gzip: 6 } as const

/** A coder of brotli holds megabytes for as long as its reader is slow. */
const STREAM_CODINGS = ["gzip"] as const
const CODINGS = ["br", "gzip"] as const

/** Answers that are compressed at once; further ones are sent as they are, so that nobody waits for the CPU. */
const AT_ONCE = 16

/**
 * JSON that caches may keep. Whatever has a secret says `no-store`: its compressed length could tell the secret to somebody who
 * chooses another part of the answer (BREACH). Streams of events say `no-transform`, and content under `/ipfs` has ranges.
 */
const isKept = ({ headers }: HttpServerResponse.HttpServerResponse): boolean => {
  const cacheControl = headers["cache-control"]
  return (
    cacheControl !== undefined &&
    !NOT_COMPRESSED.test(cacheControl) &&
    headers["accept-ranges"] === undefined &&
    // A static document, which has its own codings.
    headers.vary?.includes(VARY) !== true
  )
}

const NOT_COMPRESSED = /no-store|no-transform/
const VARY = "accept-encoding"

const varied = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { vary } = response.headers
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? VARY : `${vary}, ${VARY}`)
}

/** Codings have different bytes, so a client that accepts them gets weak ETags (RFC 9110, section 8.8.3.3). */
const weakened = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  return etag === undefined ? response : HttpServerResponse.setHeader(response, "etag", `W/${etag}`)
}

/** An answer whose bytes were compressed before, with the headers that compressing it gives. */
const encoded = (
  answer: HttpServerResponse.HttpServerResponse,
  coding: string,
  bytes: Uint8Array,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(weakened(answer), HttpBody.uint8Array(bytes, answer.headers["content-type"])),
    { "content-encoding": coding, "content-length": String(bytes.byteLength) },
  )

/** Compresses answers for clients that accept it. */
export const compressAnswers = HttpRouter.middleware(
  Effect.gen(function* () {
    const { compression } = yield* HttpPlatform.HttpPlatform
    const known = new CompressedAnswers()
    let running = 0
    const whileRunning = <A>(work: Effect.Effect<A>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void running++),
        () => work,
        () => Effect.sync(() => void running--),
      )

    const compressed = (
      { headers }: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      const { body, status } = response
      // The same for everybody, whatever they accept.
      if (body._tag === "Uint8Array" && body.contentLength < BYTES_MIN) return Effect.succeed(response)
      if ((status !== 200 && status !== 304) || !isKept(response)) return Effect.succeed(response)
      if (status === 200 && response.headers["content-type"] !== "application/json") return Effect.succeed(response)
      const answer = varied(response)
      const accepted = headers["accept-encoding"]
      if (accepted === undefined) return Effect.succeed(answer)
      const coding = codingFor(accepted, body._tag === "Stream" ? STREAM_CODINGS : CODINGS)
      if (coding === undefined) return Effect.succeed(answer)
      if (status === 304) return Effect.succeed(weakened(answer))
      const compress = compression.compressResponse(answer, coding, { level: LEVELS[coding] })
      if (body._tag === "Stream") return compress
      if (body._tag !== "Uint8Array") return Effect.succeed(answer)
      const { etag } = answer.headers
      const key = etag === undefined ? undefined : `${coding} ${etag}`
      const bytes = key === undefined ? undefined : known.get(key)
      if (bytes !== undefined) return Effect.succeed(encoded(answer, coding, bytes))
      if (running >= AT_ONCE) return Effect.succeed(answer)
      return Effect.map(whileRunning(compress), (compressed) => {
        if (key !== undefined && compressed.body._tag === "Uint8Array") known.add(key, compressed.body.body)
        return compressed
      })
    }

    return (httpEffect) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        return Effect.flatMap(httpEffect, (response) => compressed(request, response))
      })
  }),
  { global: true },
)
