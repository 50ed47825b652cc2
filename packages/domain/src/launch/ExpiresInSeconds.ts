import { Schema } from "effect"
import { field } from "../http/Field.ts"

/** Beside `lastValidBlockHeight` of what the builders answer. */
export const expiresInSeconds = field(
  Schema.Int,
  "Seconds from this answer until the chain is past lastValidBlockHeight, as fast as its slots follow each other now. Sign and submit before; after, ask again. A retry with the same Idempotency-Key has that of the first answer",
)
