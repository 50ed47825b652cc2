import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { StoredResponse } from "./IdempotencyClaims.ts"

/** Marks a replayed response. */
export const REPLAYED_HEADER = "idempotency-replayed"

type Response = HttpServerResponse.HttpServerResponse

/** Only successes are stored: failed requests may be retried. */
export const isStorable = ({ status }: Response): boolean => status >= 200 && status < 300

/** What is stored of responses with a secret. */
const withoutSecrets = new WeakMap<Response, Response>()

/**
 * A response with a secret, which is sent once: what is stored of it, and sent to whoever repeats the request with its key, is
 * `rest`. A captured request can be repeated, and the database read.
 */
export const sentOnce = <A extends Response>(response: A, rest: A): A => {
  withoutSecrets.set(response, rest)
  return response
}

const bytesOf = ({ body }: Response): Effect.Effect<Uint8Array | null> => {
  if (body._tag === "Uint8Array") return Effect.succeed(body.body)
  if (body._tag === "Empty") return Effect.succeed(null)
  return Effect.die(new Error("The response of a POST must be in memory to be stored"))
}

/** The stored form of a response. */
export const storedResponse = (response: Response): Effect.Effect<StoredResponse> => {
  const stored = withoutSecrets.get(response) ?? response
  const { headers, status } = stored
  return Effect.map(bytesOf(stored), (body) => ({
    ...{ status, body },
    contentType: headers["content-type"] ?? null,
    location: headers.location ?? null,
    cacheControl: headers["cache-control"] ?? null,
  }))
}

/** The stored response, byte for byte. */
export const replayed = (
  { body, cacheControl, contentType, location }: StoredResponse,
  status: number,
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    [REPLAYED_HEADER]: "true",
    ...(location !== null && { location }),
    ...(cacheControl !== null && { "cache-control": cacheControl }),
  }
  if (body === null) return HttpServerResponse.empty({ status, headers })
  return HttpServerResponse.uint8Array(body, { ...{ status, headers }, ...(contentType !== null && { contentType }) })
}
