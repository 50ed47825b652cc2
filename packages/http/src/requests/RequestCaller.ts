import { Context } from "effect"

/**
 * Whose Idempotency-Keys are those of the request being answered. Empty while requests are not authenticated: then all
 * callers share their keys. What authenticates a request sets it before `IdempotencyGuard` runs.
 */
export const RequestCaller = Context.Reference<string>("@launch-registry/http/requests/RequestCaller", {
  defaultValue: () => "",
})
