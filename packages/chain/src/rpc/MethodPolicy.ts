import type { RpcError, RpcFault } from "./RpcError.ts"

/** How calls of a method may be treated. */
export interface MethodPolicy {
  /**
   * `read`: may be asked of several endpoints at once. `send`: the same signed bytes may be sent again, because one
   * signature cannot execute twice. `once`: never sent a second time.
   */
  readonly kind: "read" | "send" | "once"
  /** Deadline of one attempt. */
  readonly deadlineMillis: number
  /** Deadline of the whole call, all attempts included. */
  readonly totalMillis: number
  /** Bounds of the time after which a second endpoint is asked as well. */
  readonly hedgeMillisMin: number
  readonly hedgeMillisMax: number
  /** How much a node has to do depends on what is asked for: a late or missing answer says nothing of the endpoint, probes do. */
  readonly isOfAnySize?: boolean
}

const READ: MethodPolicy = {
  kind: "read",
  deadlineMillis: 1_000,
  totalMillis: 2_200,
  hedgeMillisMin: 50,
  hedgeMillisMax: 500,
}
/** Scans of all accounts of a program or of long ranges of history. Probes detect a dead endpoint long before this deadline. */
const SCAN: MethodPolicy = {
  kind: "read",
  deadlineMillis: 8_000,
  totalMillis: 10_000,
  hedgeMillisMin: 500,
  hedgeMillisMax: 4_000,
}
const SEND: MethodPolicy = { ...READ, kind: "send" }
const ONCE: MethodPolicy = { ...READ, kind: "once", deadlineMillis: 2_000 }

const SCANS = new Set([...["getLargestAccounts", "getSupply", "getSignaturesForAddress", "getBlock", "getBlocks"]])

/** Anybody can have the token accounts of any mint read. */
const OF_ANY_SIZE = new Set(["getProgramAccounts", "getTokenLargestAccounts"])
const SCAN_OF_ANY_SIZE: MethodPolicy = { ...SCAN, isOfAnySize: true }

/** The policy of a method. One that is not known and sounds like a request to change something is sent once. */
export const policyOf = (method: string): MethodPolicy => {
  if (method === "sendTransaction") return SEND
  if (/^(send|request)/.test(method)) return ONCE
  if (OF_ANY_SIZE.has(method)) return SCAN_OF_ANY_SIZE
  return SCANS.has(method) ? SCAN : READ
}

/** Whether another endpoint may be asked after this fault. */
export const mayRepeat = (policy: MethodPolicy, fault: RpcFault): boolean =>
  policy.kind !== "once" && fault._tag !== "Rejected"

const SUSPECT: ReadonlySet<RpcFault["_tag"]> = new Set<RpcFault["_tag"]>(["NodeFault", "Malformed", "TooLarge"])

/**
 * Whether the endpoint or the request caused the fault is known only once another endpoint answers: then it was the
 * endpoint.
 */
export const isSuspect = (fault: RpcFault): boolean => SUSPECT.has(fault._tag)

const OF_REQUEST: ReadonlySet<RpcFault["_tag"]> = new Set<RpcFault["_tag"]>(["Rejected", "NotHere", ...SUSPECT])

/** Whether the endpoints answered that they have nothing usable for this request: they may serve all others. */
export const isOfRequest = ({ reason }: RpcError): boolean => OF_REQUEST.has(reason._tag)

const SOUND: ReadonlySet<RpcFault["_tag"]> = new Set<RpcFault["_tag"]>([...OF_REQUEST, "Behind"])

/**
 * Whether the endpoint gave a proper answer, although it could not serve the request. That alone does not count against
 * it: a request that no node can serve must not take all of them out of use.
 */
export const isSoundAnswer = (fault: RpcFault): boolean => SOUND.has(fault._tag)
