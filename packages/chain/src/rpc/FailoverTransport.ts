import type { RpcTransport } from "@solana/kit"
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types"
import { attemptsOfCall } from "./CallSpan.ts"
import type { Outcome, RpcRequest } from "./Endpoint.ts"
import { type Failover, HedgedRequest } from "./HedgedRequest.ts"
import { policyOf } from "./Methods.ts"
import { RpcError } from "./RpcError.ts"

/** The request that kit hands to a transport. */
export const requestOf = (payload: unknown): RpcRequest => {
  const { id, method, params } = payload as Pick<RpcRequest, "id" | "method" | "params">
  return { method, id, params, body: stringifyJsonWithBigInts(payload), beginAttempt: attemptsOfCall() }
}

/** A request in flight, and those who wait for it. */
interface Shared {
  readonly hedged: HedgedRequest
  readonly waiting: Set<(outcome: Outcome) => void>
}

/**
 * The failover as a transport for `createSolanaRpcFromTransport` of @solana/kit. Resolves to the JSON-RPC answer; rejects with `RpcError`
 * when there is none, and also when the node rejected the request. Identical reads in flight are one request, which ends when its last
 * caller leaves.
 */
export const failoverTransport = (failover: Failover, onCall: () => void): RpcTransport => {
  const reads = new Map<string, Shared>()
  const start = (request: RpcRequest, key: string | undefined): Shared => {
    const waiting: Shared["waiting"] = new Set()
    const finish = (outcome: Outcome) => {
      if (key !== undefined && reads.get(key) === shared) reads.delete(key)
      for (const each of [...waiting]) each(outcome)
    }
    const shared: Shared = { hedged: new HedgedRequest(failover, request, finish), waiting }
    if (key !== undefined) reads.set(key, shared)
    return shared
  }
  return <A>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<A> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      onCall()
      const request = requestOf(payload)
      const { method, params } = request
      const isRead = policyOf(method).kind === "read"
      const key = isRead ? `${method}:${stringifyJsonWithBigInts(params)}` : undefined
      const known = key === undefined ? undefined : reads.get(key)
      const { hedged, waiting } = known ?? start(request, key)
      const finish = ({ answer, fault }: Outcome) => {
        signal?.removeEventListener("abort", abort)
        if (fault === undefined) resolve(answer as A)
        else reject(new RpcError({ method, reason: fault }))
      }
      const abort = () => {
        reject(signal?.reason)
        waiting.delete(finish)
        if (waiting.size > 0) return
        if (key !== undefined && reads.get(key)?.hedged === hedged) reads.delete(key)
        hedged.cancel()
      }
      waiting.add(finish)
      signal?.addEventListener("abort", abort, { once: true })
      if (known === undefined) hedged.start()
    })
}
