import { HttpApiMiddleware } from "effect/http-api"
import { Unauthenticated } from "./AccessErrors.ts"
import { EDGE_ERRORS } from "./EdgeErrors.ts"
import { RateLimited, Busy } from "./LimitErrors.ts"
import {
  BodyTooLarge,
  InternalFault,
  InvalidRequest,
  UnsupportedContentEncoding,
  UnsupportedContentType,
} from "./RequestErrors.ts"
import { Unavailable } from "./Unavailable.ts"

/** Errors that only operations with a body return. */
export const BODY_ERRORS = [
  BodyTooLarge.response,
  UnsupportedContentType.response,
  UnsupportedContentEncoding.response,
] as const

/**
 * Middleware of every endpoint: decodes the body once, strictly and with exact amounts, and rejects invalid requests.
 * Declared on the whole API, so that every endpoint documents these errors.
 */
export class RequestGuard extends HttpApiMiddleware.Service<RequestGuard>()(
  "@launch-registry/domain/http/RequestGuard",
  {
    error: [
      InvalidRequest.response,
      ...BODY_ERRORS,
      // A signature of another body, which is read here.
      Unauthenticated.response,
      InternalFault.response,
      Unavailable.response,
      RateLimited.response,
      Busy.response,
      ...EDGE_ERRORS,
    ],
  },
) {}
