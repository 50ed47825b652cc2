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
  "Random text, such as a UUID, that makes this request safe to send again for 24 hours: the first answer comes again, with `idempotency-replayed: true`. 409 while the first is in flight, 422 with another request. A failed request frees the key."

/** Headers of every POST. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(IdempotencyKey).annotateKey({ description: MEANING }),
}

/** Headers of a POST that answers a secret: what is kept of the answer can be read with the key alone. */
export const sealingHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(SealingKey).annotateKey({
    description: `${MEANING} At least ${SEALING_LENGTH_MIN} characters: it encrypts the stored answer.`,
  }),
}
