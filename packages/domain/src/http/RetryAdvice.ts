import { Context } from "effect"

/** What an answer says of sending the same request again. */
export interface RetryNote {
  /** Seconds after which it may go better; `null` when no waiting helps; absent when nothing is known of it. */
  afterSeconds?: number | null | undefined
}

/**
 * Where the error that is answered leaves what it says of trying again, for the headers of the answer. Set once per request by the
 * server; outside a request there is none.
 */
export const RetryAdvice = Context.Reference<RetryNote | undefined>("@launch-registry/domain/http/RetryAdvice", {
  defaultValue: () => undefined,
})
