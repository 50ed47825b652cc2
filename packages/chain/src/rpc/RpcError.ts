import { Schema } from "effect"

/**
 * Why a call got no usable answer.
 *
 * `Rejected` is the node's answer to this request, the same everywhere: it is never retried. `NotHere` and
 * `Behind` say that this node cannot serve this request. All others are about the endpoint.
 */
export const RpcFault = Schema.Union([
  /** No connection was established: the request was certainly not sent. */
  Schema.TaggedStruct("Unreachable", {}),
  /** The connection broke before there was an answer. */
  Schema.TaggedStruct("Disconnected", {}),
  Schema.TaggedStruct("TimedOut", {}),
  /** An endpoint that was asked later answered first. */
  Schema.TaggedStruct("TooSlow", {}),
  /** The body is not a JSON-RPC answer to the request. */
  Schema.TaggedStruct("BadAnswer", {}),
  /** The result does not have the method's shape. */
  Schema.TaggedStruct("Malformed", {}),
  /** The body is longer than answers of the method may be; the rest of it was not read. */
  Schema.TaggedStruct("TooLarge", { limitBytes: Schema.Number }),
  Schema.TaggedStruct("ServerFault", { status: Schema.Number }),
  /** The node answered that it failed, for a reason that may lie in the request. */
  Schema.TaggedStruct("NodeFault", { code: Schema.Number }),
  Schema.TaggedStruct("RateLimited", { retryAfterMillis: Schema.Number }),
  Schema.TaggedStruct("Forbidden", { status: Schema.Number }),
  Schema.TaggedStruct("Behind", { code: Schema.Number }),
  Schema.TaggedStruct("NotHere", { code: Schema.Number }),
  Schema.TaggedStruct("WrongCluster", { genesisHash: Schema.String }),
  /** No endpoint in use advances: a blockhash may have expired. */
  Schema.TaggedStruct("NoProgress", {}),
  /** Every endpoint is out of use at the moment; nothing was sent. */
  Schema.TaggedStruct("NoEndpoint", {}),
  Schema.TaggedStruct("Rejected", { code: Schema.Number, detail: Schema.String, logs: Schema.Array(Schema.String) }),
])
export type RpcFault = typeof RpcFault.Type

/** A call to the chain that got no usable answer. Carries no URL, because endpoint URLs may contain keys. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", { method: Schema.String, reason: RpcFault }) {
  override get message(): string {
    return `${this.method}: ${describeFault(this.reason)}`
  }
}

/** A fault in a few words, without anything secret. */
export const describeFault = (fault: RpcFault): string => {
  switch (fault._tag) {
    case "ServerFault":
    case "Forbidden":
      return `${fault._tag} ${fault.status}`
    case "NodeFault":
    case "Behind":
    case "NotHere":
    case "Rejected":
      return `${fault._tag} ${fault.code}`
    case "TooLarge":
      return `TooLarge: more than ${fault.limitBytes} bytes`
    case "RateLimited":
      return `RateLimited for ${fault.retryAfterMillis} ms`
    case "WrongCluster":
      return `WrongCluster with genesis hash ${fault.genesisHash}`
    default:
      return fault._tag
  }
}

const SUSPECT: ReadonlySet<string> = new Set<RpcFault["_tag"]>(["NodeFault", "Malformed", "TooLarge"])

/**
 * Whether the endpoint or the request caused the fault is known only once another endpoint answers: then it was the
 * endpoint.
 */
export const isSuspect = ({ _tag }: RpcFault): boolean => SUSPECT.has(_tag)

/** Whether the endpoints answered that they have nothing usable for this request: they may serve all others. */
export const isOfRequest = ({ reason }: RpcError): boolean =>
  reason._tag === "Rejected" || reason._tag === "NotHere" || isSuspect(reason)

/**
 * Whether the endpoint gave a proper answer, although it could not serve the request. That alone does not count against
 * it: a request that no node can serve must not take all of them out of use.
 */
export const isSoundAnswer = (reason: RpcFault): boolean =>
  reason._tag === "Rejected" || reason._tag === "NotHere" || reason._tag === "Behind" || isSuspect(reason)
