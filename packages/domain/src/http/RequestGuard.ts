import { HttpApiMiddleware } from "effect/http-api"
import { BodiesBusy, BodyTooSlow } from "./LimitErrors.ts"
import {
  BodyTooLarge,
  DatabaseUnavailable,
  InternalFault,
  InvalidRequest,
  UnsupportedContentType,
} from "./RequestErrors.ts"

/**
 * Stands before every endpoint: reads the body once, strictly and without losing a digit of an amount, and answers
 * what does not decode. Declared on the whole API, so that every endpoint documents these answers.
 */
export class RequestGuard extends HttpApiMiddleware.Service<RequestGuard>()(
  "@launch-registry/domain/http/RequestGuard",
  {
    error: [
      InvalidRequest.response,
      BodyTooLarge.response,
      BodyTooSlow.response,
      BodiesBusy.response,
      UnsupportedContentType.response,
      InternalFault.response,
      DatabaseUnavailable.response,
    ],
  },
) {}
