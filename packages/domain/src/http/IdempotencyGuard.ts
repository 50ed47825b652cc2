import { HttpApiMiddleware } from "effect/http-api"
import { IdempotencyKeyReused, RequestInFlight } from "./IdempotencyErrors.ts"

/** Middleware of every POST: a request that is repeated with its Idempotency-Key is executed once. */
export class IdempotencyGuard extends HttpApiMiddleware.Service<IdempotencyGuard>()(
  "@launch-registry/domain/http/IdempotencyGuard",
  { error: [IdempotencyKeyReused.response, RequestInFlight.response] },
) {}
