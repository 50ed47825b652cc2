import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { LimitReached } from "./LimitErrors.ts"

/** The bytes are not valid HTTP/1.1. There is no request id, and the connection is closed. */
export class MalformedHttp extends Schema.TaggedError<MalformedHttp>()("MalformedHttp", {}) {
  static readonly response = respondWith(MalformedHttp, {
    status: 400,
    code: "malformed_http",
    message: () => "The request is not valid HTTP",
  })
}

/** The request took too long to arrive. There is no request id, and the connection is closed. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {
  static readonly response = respondWith(RequestTimeout, {
    status: 408,
    code: "request_timeout",
    message: () => "The request took too long to arrive",
  })
}

/** The transfer coding is not chunked. There is no request id, and the connection is closed. */
export class UnknownTransferCoding extends Schema.TaggedError<UnknownTransferCoding>()("UnknownTransferCoding", {}) {
  static readonly response = respondWith(UnknownTransferCoding, {
    status: 501,
    code: "unknown_transfer_coding",
    message: () => "The only Transfer-Encoding that is understood is chunked",
  })
}

/** The Expect header is not 100-continue. There is no request id, and the connection is closed. */
export class ExpectationFailed extends Schema.TaggedError<ExpectationFailed>()("ExpectationFailed", {}) {
  static readonly response = respondWith(ExpectationFailed, {
    status: 417,
    code: "expectation_failed",
    message: () => "The Expect header asks for something other than 100-continue",
  })
}

/** The request line and the headers exceed 16 KiB. There is no request id, and the connection is closed. */
export class HeadersTooLarge extends Schema.TaggedError<HeadersTooLarge>()("HeadersTooLarge", {}) {
  static readonly response = respondWith(HeadersTooLarge, {
    status: 431,
    code: "headers_too_large",
    message: () => "The headers are too large",
  })
}

/** Errors from before routing: any operation can return these. */
export const EDGE_ERRORS = [
  MalformedHttp.response,
  RequestTimeout.response,
  ExpectationFailed.response,
  UnknownTransferCoding.response,
  LimitReached.response,
  HeadersTooLarge.response,
] as const
