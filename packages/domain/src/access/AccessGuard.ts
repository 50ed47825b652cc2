import { HttpApiMiddleware } from "effect/http-api"
import { Forbidden, Unauthenticated } from "../http/AccessErrors.ts"

/** Middleware of every endpoint, outside of all others: admits callers as `RequiredAccess` says, where settings ask for it. */
export class AccessGuard extends HttpApiMiddleware.Service<AccessGuard>()(
  "@launch-registry/domain/access/AccessGuard",
  {
    error: [Unauthenticated.response, Forbidden.response],
  },
) {}
