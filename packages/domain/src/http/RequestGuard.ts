import { HttpApiMiddleware } from "effect/http-api"
import { EDGE_ERRORS } from "./EdgeErrors.ts"
import { BodiesBusy, BodyTooSlow } from "./LimitErrors.ts"
import {
  BodyTooLarge,
  DatabaseUnavailable,
  InternalFault,
  InvalidRequest,
  UnsupportedContentType,
} from "./RequestErrors.ts"

/** What an operation that reads no body is never answered. */
export const BODY_ERRORS = [
  BodyTooLarge.response,
  BodyTooSlow.response,
  BodiesBusy.response,
  UnsupportedContentType.response,
] as const

/**
 * Stands before every endpoint: reads the body once, strictly and without losing a digit of an amount, and answers
 * what does not decode. Declared on the whole API, so that every endpoint documents these answers.
 */
export class RequestGuard extends HttpApiMiddleware.Service<RequestGuard>()(
  "@launch-registry/domain/http/RequestGuard",
  {
    error: [
      InvalidRequest.response,
      ...BODY_ERRORS,
      InternalFault.response,
      DatabaseUnavailable.response,
      ...EDGE_ERRORS,
    ],
  },
) {}
