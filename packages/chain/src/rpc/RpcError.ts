import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from "@solana/kit"
import { Schema } from "effect"

/**
 * Why a call failed. `Rejected` is the node's own answer to this very request, the same everywhere: it is never tried
 * elsewhere. All others are faults of the endpoint.
 */
export const RpcFault = Schema.Union([
  Schema.TaggedStruct("Unreachable", {}),
  Schema.TaggedStruct("TimedOut", {}),
  Schema.TaggedStruct("BadAnswer", {}),
  Schema.TaggedStruct("ServerFault", { status: Schema.Int }),
  Schema.TaggedStruct("RateLimited", { retryAfterMillis: Schema.Int }),
  Schema.TaggedStruct("Forbidden", { status: Schema.Int }),
  Schema.TaggedStruct("Behind", { code: Schema.Int }),
  Schema.TaggedStruct("NotHere", { code: Schema.Int }),
  Schema.TaggedStruct("WrongCluster", {}),
  Schema.TaggedStruct("NoEndpoint", {}),
  Schema.TaggedStruct("Rejected", { code: Schema.Int, detail: Schema.String, logs: Schema.Array(Schema.String) }),
])
export type RpcFault = typeof RpcFault.Type

/** A call to the chain that got no usable answer. Carries no address: the keys of endpoints stand in their URLs. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", { method: Schema.String, reason: RpcFault }) {
  override get message(): string {
    return `${this.method}: ${this.reason._tag}`
  }
}

/** The node lags or cannot serve this now: another endpoint may, and it counts against this one (agave custom_error.rs). */
const LAG_FAULTS = new Set([-32005, -32012, -32016, -32019])
/** The node does not keep what is asked for, such as a skipped slot: another endpoint may, and this one is sound. */
const NOT_KEPT = new Set([-32001, -32004, -32007, -32008, -32009, -32010, -32011, -32014])
const INTERNAL = -32603
const REQUEST_FAULTS = new Set([-32002, -32003, -32006, -32013, -32015, -32017, -32018, -32600, -32601, -32602])

const DEFAULT_PAUSE_MILLIS = 1_000
const PAUSE_MILLIS_MAX = 60_000

/** What a failed attempt says of its endpoint, from whatever kit or the platform threw. */
export const faultOf = (error: unknown): RpcFault => {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { headers, statusCode } = error.context
    if (statusCode === 429) return { _tag: "RateLimited", retryAfterMillis: pauseMillis(headers.get("retry-after")) }
    if (statusCode === 401 || statusCode === 403) return { _tag: "Forbidden", status: statusCode }
    return { _tag: "ServerFault", status: statusCode }
  }
  if (isSolanaError(error)) return jsonRpcFault(error.context.__code, error)
  if (error instanceof DOMException && error.name === "AbortError") return { _tag: "TimedOut" }
  return error instanceof SyntaxError ? { _tag: "BadAnswer" } : { _tag: "Unreachable" }
}

const jsonRpcFault = (code: number, error: Error & { readonly context: object }): RpcFault => {
  const { logs, __serverMessage: said } = error.context as {
    readonly logs?: ReadonlyArray<string>
    readonly __serverMessage?: string
  }
  if (LAG_FAULTS.has(code)) return { _tag: "Behind", code }
  if (NOT_KEPT.has(code)) return { _tag: "NotHere", code }
  if (code === INTERNAL) return { _tag: "ServerFault", status: 500 }
  const detail = said ?? (error.cause instanceof Error ? error.cause.message : error.message)
  if (/rate limit|too many requests/i.test(detail))
    return { _tag: "RateLimited", retryAfterMillis: DEFAULT_PAUSE_MILLIS }
  // Codes of kit's own, outside JSON-RPC's range, mean an answer that is not of the method's shape.
  if (code >= 0) return { _tag: "BadAnswer" }
  if (!REQUEST_FAULTS.has(code)) return { _tag: "ServerFault", status: 500 }
  return { _tag: "Rejected", code, detail, logs: logs ?? [] }
}

const pauseMillis = (retryAfter: string | null): number => {
  const seconds = Number(retryAfter)
  const millis =
    retryAfter === null || retryAfter === "" || Number.isNaN(seconds) ? DEFAULT_PAUSE_MILLIS : seconds * 1_000
  return Math.min(Math.max(millis, 0), PAUSE_MILLIS_MAX)
}
