import { AnswerTooLarge } from "./HttpTarget.ts"
import type { RpcFault } from "./RpcError.ts"

/** What came back over HTTP: the status, the `Retry-After` header, and the parsed body, if it is JSON. */
export interface HttpAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: unknown
}

interface JsonRpcErrorBody {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** The node lags or cannot serve this now; another may (agave, rpc-client-api custom_error.rs). */
const BEHIND = new Set([-32005, -32012, -32016, -32019])
/** The node does not keep or know what is asked for, such as a skipped slot or a method; another may. */
const NOT_HERE = new Set([-32001, -32004, -32007, -32008, -32009, -32010, -32011, -32014, -32601])
/** The node's verdict on the request itself. */
const REJECTED = new Set([-32002, -32003, -32006, -32013, -32015, -32017, -32018, -32600, -32602])
const IMPLEMENTATION_DEFINED = -32000
const INTERNAL_ERROR = -32603

const RATE_LIMIT_TEXT = /rate.?limit|too many requests/i
const BLOCKHASH_TEXT = /blockhash not found/i

const DEFAULT_PAUSE_MILLIS = 1_000
/** A pause of more than a day is more likely a mistake. */
const PAUSE_MILLIS_MAX = 86_400_000

/**
 * The fault that an answer stands for; `undefined` when it is a result.
 *
 * The status decides about refused keys and rate limits whatever the body says; otherwise the JSON-RPC error does,
 * which some providers send with a status of 4xx or 5xx.
 */
export const faultOfAnswer = ({ body, retryAfter, status }: HttpAnswer, nowMillis: number): RpcFault | undefined => {
  if (status === 429) return { _tag: "RateLimited", retryAfterMillis: pauseMillis(retryAfter, nowMillis) }
  if (status === 401 || status === 403) return { _tag: "Forbidden", status }
  if (isObject(body) && isObject(body.error)) return faultOfError(body.error, retryAfter, nowMillis)
  if (status < 200 || status > 299) return { _tag: "ServerFault", status }
  return isObject(body) && "result" in body ? undefined : { _tag: "BadAnswer" }
}

const faultOfError = (error: JsonRpcErrorBody, retryAfter: string | undefined, nowMillis: number): RpcFault => {
  const { code } = error
  if (typeof code !== "number" || !Number.isSafeInteger(code)) return { _tag: "BadAnswer" }
  const detail = typeof error.message === "string" ? error.message : ""
  if (code === 429 || (code === IMPLEMENTATION_DEFINED && RATE_LIMIT_TEXT.test(detail)))
    return { _tag: "RateLimited", retryAfterMillis: pauseMillis(retryAfter, nowMillis) }
  if (BEHIND.has(code)) return { _tag: "Behind", code }
  if (NOT_HERE.has(code)) return { _tag: "NotHere", code }
  if (REJECTED.has(code) || (code !== INTERNAL_ERROR && BLOCKHASH_TEXT.test(detail)))
    return { _tag: "Rejected", code, detail, logs: logsOf(error.data) }
  return { _tag: "NodeFault", code }
}

const logsOf = (data: unknown): ReadonlyArray<string> =>
  isObject(data) && Array.isArray(data.logs) ? data.logs.filter((line) => typeof line === "string") : []

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
const pauseMillis = (retryAfter: string | undefined, nowMillis: number): number => {
  const text = retryAfter?.trim() ?? ""
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMillis
  return Number.isNaN(millis) || millis <= 0 ? DEFAULT_PAUSE_MILLIS : Math.min(millis, PAUSE_MILLIS_MAX)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Codes of Node.js and undici for connections that were never established. */
const NOT_CONNECTED = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
  ...["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
])

/** The fault of a request that got no answer. Only a failed connection attempt proves that nothing was sent. */
export const faultOfThrown = (error: unknown): RpcFault => {
  if (error instanceof AggregateError) return faultOfThrown(error.errors[0])
  if (isObject(error) && error.name === "TimeoutError") return { _tag: "TimedOut" }
  if (error instanceof AnswerTooLarge) return { _tag: "TooLarge", limitBytes: error.limitBytes }
  const code = isObject(error) ? error.code : undefined
  return typeof code === "string" && NOT_CONNECTED.has(code) ? { _tag: "Unreachable" } : { _tag: "Disconnected" }
}
