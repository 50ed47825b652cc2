import { Context } from "effect"

/** Retry advice of an error response. */
export interface RetryNote {
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
