import { Context } from "effect"

/**
 * Owner of the Idempotency-Keys of the current request. Empty without authentication: all clients share a namespace.
 * `AccessGuard` sets it, outside of `IdempotencyGuard`.
 */
export const RequestCaller = Context.Reference<string>("@launch-registry/http/requests/RequestCaller", {
  defaultValue: () => "",
})
