import { Schema } from "effect"

/** Name of the header, in lower case as Node has it. */
export const IDEMPOTENCY_KEY = "idempotency-key"

const LENGTH_MAX = 255

/**
 * Chosen by the client so that a repeated request is executed once (IETF draft-ietf-httpapi-idempotency-key-header).
 */
export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(new RegExp(`^[\\u0021-\\u007e]{1,${LENGTH_MAX}}$`), {
    message: `expected 1 to ${LENGTH_MAX} visible ASCII characters`,
  }),
  Schema.isMaxLength(LENGTH_MAX),
).annotate({ identifier: "IdempotencyKey" })

const MEANING =
  "Random string, such as a UUID, that makes a retry within 24 hours safe: it gets the first response, with `idempotency-replayed: true`. 409 while the first is in flight, 422 if the key belongs to another request. A failure releases the key."

/** Headers of every POST. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(IdempotencyKey).annotateKey({ description: MEANING }),
}

/** Headers of a POST whose response has a secret. */
export const secretHeaders = {
  [IDEMPOTENCY_KEY]: Schema.optionalKey(IdempotencyKey).annotateKey({
    description: `${MEANING} A replay has no secret.`,
  }),
}
