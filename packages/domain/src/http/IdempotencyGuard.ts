import { HttpApiMiddleware } from "effect/http-api"
import { IdempotencyKeyReused, RequestInFlight } from "./IdempotencyErrors.ts"

/** Stands before every POST: a request that is sent again with its Idempotency-Key is done once. */
export class IdempotencyGuard extends HttpApiMiddleware.Service<IdempotencyGuard>()(
  "@launch-registry/domain/http/IdempotencyGuard",
  { error: [IdempotencyKeyReused.response, RequestInFlight.response] },
) {}
