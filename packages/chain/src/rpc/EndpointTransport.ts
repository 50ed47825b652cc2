import type { RpcTransport } from "@solana/kit"
import type { Endpoint } from "./Endpoint.ts"
import { requestOf } from "./FailoverTransport.ts"
import type { Failover } from "./HedgedRequest.ts"
import { RpcError } from "./RpcError.ts"

/** Generous: no client waits for these calls, and reading a long history is slow. */
const DEADLINE_MILLIS = 8_000

/**
 * One endpoint as a transport for `createSolanaRpcFromTransport` of @solana/kit: no hedges, no retries, no other
 * endpoint. Rejects with `RpcError`, at once when the endpoint is not in use. Its answers count for the endpoint's
 * health like all others.
 */
export const endpointTransport =
  (endpoint: Endpoint, { endpoints, now }: Failover): RpcTransport =>
  async <A>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<A> => {
    signal?.throwIfAborted()
    const request = requestOf(payload)
    const { method } = request
    if (!endpoints.isUsable(endpoint)) throw new RpcError({ method, reason: { _tag: "NoEndpoint" } })
    if (endpoint.refuses(method)) throw new RpcError({ method, reason: { _tag: "Forbidden", status: 403 } })
    let startedAt = now()
    endpoint.figures.calls++
    const deadline = AbortSignal.timeout(DEADLINE_MILLIS)
    const both = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    const { answer, fault, faultOn } = await endpoint.ask(request, both, () => void (startedAt = now()))
    signal?.throwIfAborted()
    if (fault === undefined) {
      endpoint.answered(method, now() - startedAt)
      return answer as A
    }
    endpoints.failed(endpoint, faultOn ?? method, fault)
    throw new RpcError({ method, reason: fault })
  }
