import { Context } from "effect"
import type { RefusalNote } from "./RefusalNote.ts"

/** Retry advice of an error response, and why it refuses. One note for both, because every request has one. */
export interface RetryNote extends RefusalNote {
  /** Seconds until a retry may succeed; `null` if retrying is pointless; absent if unknown. */
  afterSeconds?: number | null | undefined
}

/**
 * Where an error response leaves its retry advice, for the Retry-After header. Set once per request by the server;
 * undefined outside of a request.
 */
export const RetryAdvice = Context.Reference<RetryNote | undefined>("@launch-registry/domain/http/RetryAdvice", {
  defaultValue: () => undefined,
})
