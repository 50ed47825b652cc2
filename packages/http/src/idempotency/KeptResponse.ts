import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { KeptAnswer } from "./IdempotencyClaims.ts"
import { seal, unseal } from "./SealedBytes.ts"

/** Says that an answer was given before. */
export const REPLAYED_HEADER = "idempotency-replayed"

/** What an answer is sealed with: only who sends the key again reads it, and only for the same request. */
export interface Sealing {
  readonly key: string
  readonly requestHash: Uint8Array
}

/** Only what was done is kept: what failed may be tried again. */
export const isKept = ({ status }: HttpServerResponse.HttpServerResponse): boolean => status >= 200 && status < 300

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Effect.Effect<Uint8Array | null> => {
  if (body._tag === "Uint8Array") return Effect.succeed(body.body)
  if (body._tag === "Empty") return Effect.succeed(null)
  return Effect.die(new Error("The answer of a POST has an end and is in memory, so that it can be kept"))
}

/** An answer as it is kept: sealed where no cache may store it, because then it holds a secret. */
export const kept = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  { key, requestHash }: Sealing,
) {
  const { headers, status } = response
  const bytes = yield* bytesOf(response)
  const isSealed = bytes !== null && (headers["cache-control"] ?? "").includes("no-store")
  const answer: KeptAnswer = {
    ...{ status, isSealed, body: isSealed ? seal(bytes, key, requestHash) : bytes },
    contentType: headers["content-type"] ?? null,
    location: headers.location ?? null,
    cacheControl: headers["cache-control"] ?? null,
  }
  return answer
})

/** The answer that was kept, byte for byte. */
export const replayed = (
  { body, cacheControl, contentType, isSealed, location }: KeptAnswer,
  status: number,
  { key, requestHash }: Sealing,
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    [REPLAYED_HEADER]: "true",
    ...(location !== null && { location }),
    ...(cacheControl !== null && { "cache-control": cacheControl }),
  }
  if (body === null) return HttpServerResponse.empty({ status, headers })
  return HttpServerResponse.uint8Array(isSealed ? unseal(body, key, requestHash) : body, {
    ...{ status, headers },
    ...(contentType !== null && { contentType }),
  })
}
