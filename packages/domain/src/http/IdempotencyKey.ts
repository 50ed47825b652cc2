import { Schema } from "effect"

/** Name of the header, as the server reads it. */
export const IDEMPOTENCY_KEY = "idempotency-key"

const LENGTH_MAX = 255
/** An answer with a secret is sealed with its key: short keys can be guessed. */
const SEALING_LENGTH_MIN = 16

const keyOf = (minLength: number) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^[\\u0021-\\u007e]{${minLength},${LENGTH_MAX}}$`), {
      message: `expected ${minLength} to ${LENGTH_MAX} visible ASCII characters`,
    }),
    Schema.isMaxLength(LENGTH_MAX),
  )

/** What a caller chooses so that a request sent twice is done once (IETF httpapi draft, Idempotency-Key). */
export const IdempotencyKey = keyOf(1).annotate({ identifier: "IdempotencyKey" })

const SealingKey = keyOf(SEALING_LENGTH_MIN).annotate({ identifier: "SealingIdempotencyKey" })

const MEANING =
  "A random text of the caller's (a UUID) for this one request, kept for 24 hours. The same request sent again with it is answered what the first was, with `idempotency-replayed: true`; another request with it is 422, the same while the first is under way 409. A request that failed leaves the key free."

/** Headers of every POST. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(IdempotencyKey).annotateKey({ description: MEANING }),
}

/** Headers of a POST that answers a secret: what is kept of the answer can be read with the key alone. */
export const sealingHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(SealingKey).annotateKey({
    description: `${MEANING} Here it has at least ${SEALING_LENGTH_MIN} characters: the kept answer is encrypted with it, and only its hash is stored.`,
  }),
}
