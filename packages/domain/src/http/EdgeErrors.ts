import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { respondWith } from "./ErrorEnvelope.ts"
import { LimitReached, RequestTimeout } from "./LimitErrors.ts"

/** The bytes are not HTTP/1.1 as it is taken here. There is no request id, and the connection is closed. */
export class MalformedHttp extends Schema.TaggedError<MalformedHttp>()("MalformedHttp", {}) {
  static readonly response = respondWith(MalformedHttp, {
    status: 400,
    code: "malformed_http",
    message: () => "The request is not valid HTTP",
  })
}

/** Errors from before routing: any operation can return these. */
export const EDGE_ERRORS = [
  MalformedHttp.response,
  // An expectation, headers and a transfer coding that are not taken.
  HttpApiSchema.status(417)(MalformedHttp.response),
  HttpApiSchema.status(431)(MalformedHttp.response),
  HttpApiSchema.status(501)(MalformedHttp.response),
  RequestTimeout.response,
  LimitReached.response,
] as const
