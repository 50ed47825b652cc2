import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { StoredResponse } from "./IdempotencyClaims.ts"
import { seal, unseal } from "./SealedBytes.ts"

/** Marks a replayed response. */
export const REPLAYED_HEADER = "idempotency-replayed"

/** Encryption of a stored response: readable only with the key, and only for the same request. */
export interface Sealing {
  readonly key: string
  readonly requestHash: Uint8Array
}

/** Only successes are stored: failed requests may be retried. */
export const isStorable = ({ status }: HttpServerResponse.HttpServerResponse): boolean => status >= 200 && status < 300

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Effect.Effect<Uint8Array | null> => {
  if (body._tag === "Uint8Array") return Effect.succeed(body.body)
  if (body._tag === "Empty") return Effect.succeed(null)
  return Effect.die(new Error("The response of a POST must be in memory to be stored"))
}

/** The stored form of a response: encrypted if it is `no-store`, because then it has a secret. */
export const storedResponse = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  { key, requestHash }: Sealing,
) {
  const { headers, status } = response
  const bytes = yield* bytesOf(response)
  const isSealed = bytes !== null && (headers["cache-control"] ?? "").includes("no-store")
  const answer: StoredResponse = {
    ...{ status, isSealed, body: isSealed ? seal(bytes, key, requestHash) : bytes },
    contentType: headers["content-type"] ?? null,
    location: headers.location ?? null,
    cacheControl: headers["cache-control"] ?? null,
  }
  return answer
})

/** The stored response, byte for byte. */
export const replayed = (
  { body, cacheControl, contentType, isSealed, location }: StoredResponse,
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
