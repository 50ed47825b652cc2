import type { RpcTransport } from "@solana/kit"
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types"
import { attemptsOfCall } from "./CallSpan.ts"
import type { Endpoint, Outcome, RpcRequest } from "./Endpoint.ts"
import type { JsonRpcPayload } from "./FailoverTransport.ts"
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
  (endpoint: Endpoint, { after, endpoints, now }: Failover): RpcTransport =>
  async <A>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<A> => {
    signal?.throwIfAborted()
    const { id, method, params } = payload as JsonRpcPayload
    if (!endpoints.isUsable(endpoint)) throw new RpcError({ method, reason: { _tag: "NoEndpoint" } })
    if (endpoint.refuses(method)) throw new RpcError({ method, reason: { _tag: "Forbidden", status: 403 } })
    const controller = new AbortController()
    let startedAt = now()
    let forget = () => {}
    const late = new Promise<Outcome>((resolve) => {
      const cancelDeadline = after(DEADLINE_MILLIS, () => resolve({ fault: { _tag: "TimedOut" } }))
      const abort = () => resolve({})
      signal?.addEventListener("abort", abort, { once: true })
      forget = () => {
        cancelDeadline()
        signal?.removeEventListener("abort", abort)
      }
    })
    endpoint.figures.calls++
    const body = stringifyJsonWithBigInts(payload)
    const request: RpcRequest = { method, id, params, body, beginAttempt: attemptsOfCall() }
    const { answer, fault, faultOn } = await Promise.race([
      endpoint.ask(request, controller.signal, () => void (startedAt = now())),
      late,
    ])
    forget()
    controller.abort()
    signal?.throwIfAborted()
    if (fault === undefined) {
      endpoint.answered(method, now() - startedAt)
      return answer as A
    }
    endpoints.failed(endpoint, faultOn ?? method, fault)
    throw new RpcError({ method, reason: fault })
  }
