import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isKnown, notModified, tagged, taggedText } from "./Respond.ts"

/** Answers that are remembered, at about 300 bytes each. */
const ANSWERS_MAX = 4_096

/** How to make an answer, and how to see that it would be the same as before. */
export interface Versioned<Body extends object, E, R> {
  /** Names the answer among those of its endpoint. */
  readonly key: string
  /** The version of the rows that the answer is made of; undefined without rows. Other content has another version. */
  readonly version: Effect.Effect<string | undefined>
  readonly read: Effect.Effect<Body, E, R>
}

/**
 * The versions that answers of an endpoint were made of, by their ETags. A client that has the current answer gets a 304
 * once the version is asked, which is cheaper than to make the answer.
 */
export class KnownEtags {
  readonly #answers = new Map<string, { readonly version: string; readonly etag: string }>()

  /** The answer, or 304 if the client has it. */
  respond<Body extends object, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    { key, read, version }: Versioned<Body, E, R>,
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> {
    const asked = request.headers["if-none-match"]
    const known = asked === undefined ? undefined : this.#answers.get(key)
    // A client without the answer that is known has probably an older one.
    if (asked === undefined || (known !== undefined && !isKnown(asked, known.etag)))
      return Effect.map(read, (body) => {
        const answer = tagged(JSON.stringify(body))
        if (known !== undefined && known.etag !== answer.etag) this.#answers.delete(key)
        return taggedText(asked, answer)
      })
    return Effect.flatMap(version, (version) => {
      if (known !== undefined && version === known.version) return Effect.succeed(notModified(known.etag))
      // Asked before the answer is read: if the rows change in between, the version is never met again.
      return Effect.map(read, (body) => {
        const answer = tagged(JSON.stringify(body))
        this.#remember(key, version, answer.etag)
        return taggedText(asked, answer)
      })
    })
  }

  #remember(key: string, version: string | undefined, etag: string): void {
    this.#answers.delete(key)
    if (version === undefined) return
    if (this.#answers.size >= ANSWERS_MAX) this.#answers.delete(this.#answers.keys().next().value!)
    this.#answers.set(key, { version, etag })
  }
}
