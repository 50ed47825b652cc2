import { Context } from "effect"

/** Limits of one process. */
export interface HttpLimits {
  /** A connection that accepts no bytes for this long is closed, at the latest after twice as long. */
  readonly stallMillis: number
  /** Unsent bytes of all connections. Beyond it the stalled ones with the most are closed. */
  readonly unsentBytesMax: number
  /** Interval at which those bytes are looked at. */
  readonly patienceMillis: number
  /** Pipelined requests per connection; it is closed after these. */
  readonly pipelinedMax: number
  /** Timeout of the headers. */
  readonly headersMillis: number
  /** How long an idle connection is kept, as `Keep-Alive` announces; Node closes it a second later. */
  readonly keepAliveMillis: number
  /** Timeout of a request with its body. */
  readonly requestMillis: number
  /** Memory of whole lists being sent. */
  readonly listBytesMax: number
}

export const HTTP_LIMITS: HttpLimits = {
  // A client at 10 KB/s accepts bytes about every 143 s with the largest socket buffers (loopback on Linux).
  stallMillis: 180_000,
  unsentBytesMax: 256 * 1024 * 1024,
  patienceMillis: 5_000,
  pipelinedMax: 8,
  headersMillis: 15_000,
  // Balancers keep idle connections for 60 s (AWS ALB, nginx) to 600 s (Google Cloud): who closes first sends no request into
  // a close.
  keepAliveMillis: 620_000,
  // More than the maximum duration of an upload.
  requestMillis: 150_000,
  listBytesMax: 64 * 1024 * 1024,
}

/** The limits of the current server. */
export const HttpLimitsOfServer = Context.Reference<HttpLimits>("@launch-registry/http/listener/HttpLimits", {
  defaultValue: () => HTTP_LIMITS,
})
