import { Context } from "effect"

/**
 * Owner of the Idempotency-Keys of the current request. Empty without authentication: all clients share a namespace.
 * Authentication must set it before `IdempotencyGuard` runs.
 */
export const RequestCaller = Context.Reference<string>("@launch-registry/http/requests/RequestCaller", {
  defaultValue: () => "",
})
