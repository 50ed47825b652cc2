import type { RpcTransport } from "@solana/kit"
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types"
import { attemptsOfCall } from "./CallSpan.ts"
import type { Outcome, RpcRequest } from "./Endpoint.ts"
import { type Failover, HedgedRequest } from "./HedgedRequest.ts"
import { policyOf } from "./Methods.ts"
import { RpcError } from "./RpcError.ts"
import { SharedRequests } from "./SharedRequests.ts"

/** A request as kit hands it to a transport. */
export interface JsonRpcPayload {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/**
 * The failover as a transport for `createSolanaRpcFromTransport` of @solana/kit. Resolves to the JSON-RPC answer;
 * rejects with `RpcError` when there is none, and also when the node rejected the request.
 */
export const failoverTransport = (failover: Failover, onCall: () => void): RpcTransport => {
  const shared = new SharedRequests()
  const start = (request: RpcRequest) => (finish: (outcome: Outcome) => void) => {
    const hedged = new HedgedRequest(failover, request, finish)
    hedged.start()
    return () => hedged.cancel()
  }
  return <A>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<A> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      onCall()
      const { id, method, params } = payload as JsonRpcPayload
      let leave = () => {}
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      signal?.addEventListener("abort", abort, { once: true })
      const finish = ({ answer, fault }: Outcome) => {
        signal?.removeEventListener("abort", abort)
        if (fault === undefined) resolve(answer as A)
        else reject(new RpcError({ method, reason: fault }))
      }
      const body = stringifyJsonWithBigInts(payload)
      const request: RpcRequest = { method, id, params, body, beginAttempt: attemptsOfCall() }
      leave =
        policyOf(method).kind === "read"
          ? shared.join(`${method}:${stringifyJsonWithBigInts(params)}`, finish, start(request))
          : start(request)(finish)
    })
}
