import { Context } from "effect"

/** What one process lets its clients take of it. */
export interface HttpLimits {
  /** A connection that takes nothing of what was sent to it for so long is closed. */
  readonly stallMillis: number
  /** Bytes that connections have not taken, all together. Beyond it those that stand still with most are closed. */
  readonly unsentBytesMax: number
  /** Who has stood still for less than this is not closed for want of memory. */
  readonly patienceMillis: number
  /** Requests that wait on a connection for their turn; it ends after these. */
  readonly pipelinedMax: number
  /** Bytes that come in on a connection while requests wait there; it ends after those as well. */
  readonly pipelinedBytesMax: number
  /** How long the headers of a request may take to come in. */
  readonly headersMillis: number
  /** How long a request may take to come in, with its body. */
  readonly requestMillis: number
  /** How far a body may fall behind the least rate; so it is also the longest it may stand still. */
  readonly bodySlackMillis: number
  /** Bytes of JSON bodies in memory at once; small ones are not counted. */
  readonly jsonBytesMax: number
  /** How long a JSON body waits for room. */
  readonly jsonWaitMillis: number
  /** Bytes of whole lists being sent at once. */
  readonly listBytesMax: number
}

export const HTTP_LIMITS: HttpLimits = {
  // A client at 10 KB/s is seen to take something once in 143 s where the system holds as much as it can (loopback on Linux).
  stallMillis: 180_000,
  unsentBytesMax: 256 * 1024 * 1024,
  patienceMillis: 5_000,
  pipelinedMax: 64,
  pipelinedBytesMax: 64 * 1024,
  headersMillis: 15_000,
  // More than the longest upload may take.
  requestMillis: 150_000,
  bodySlackMillis: 5_000,
  jsonBytesMax: 32 * 1024 * 1024,
  jsonWaitMillis: 10_000,
  listBytesMax: 64 * 1024 * 1024,
}

/** The limits of the server that answers. */
export const HttpLimitsOfServer = Context.Reference<HttpLimits>("@launch-registry/http/listener/HttpLimits", {
  defaultValue: () => HTTP_LIMITS,
})
