import { Schema } from "effect"

/** Name of the header, in lower case as Node has it. */
export const IDEMPOTENCY_KEY = "idempotency-key"

const LENGTH_MAX = 255
/** A stored response with a secret is encrypted with the key, and short keys can be guessed. */
const SEALING_LENGTH_MIN = 16

const keyOf = (minLength: number) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^[\\u0021-\\u007e]{${minLength},${LENGTH_MAX}}$`), {
      message: `expected ${minLength} to ${LENGTH_MAX} visible ASCII characters`,
    }),
    Schema.isMaxLength(LENGTH_MAX),
  )

/**
 * Chosen by the client so that a repeated request is executed once (IETF draft-ietf-httpapi-idempotency-key-header).
 */
export const IdempotencyKey = keyOf(1).annotate({ identifier: "IdempotencyKey" })

const SealingKey = keyOf(SEALING_LENGTH_MIN).annotate({ identifier: "SealingIdempotencyKey" })

const MEANING =
  "Random string, such as a UUID, that makes a retry within 24 hours safe: it gets the first response, with `idempotency-replayed: true`. 409 while the first is in flight, 422 if the key belongs to another request. A failure releases the key."

/** Headers of every POST. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(IdempotencyKey).annotateKey({ description: MEANING }),
}

/** Headers of a POST whose response has a secret: it is stored encrypted with the key. */
export const sealingHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(SealingKey).annotateKey({
    description: `${MEANING} At least ${SEALING_LENGTH_MIN} characters: encrypts the response.`,
  }),
}
