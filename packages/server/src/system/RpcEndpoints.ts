import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { requireCredential } from "@launch-registry/domain/access/Caller"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { RpcCordons } from "@launch-registry/domain/system/RpcCordons"
import { Effect } from "effect"

/** What operators do with RPC endpoints, by their names. */
export const rpcEndpoints = Effect.gen(function* () {
  const rpc = yield* Rpc
  const cordons = yield* RpcCordons

  const requireEndpoint = Effect.fnUntraced(function* (endpoint: string) {
    const known = (yield* rpc.report).endpoints.map(({ name }) => name)
    if (!known.includes(endpoint)) return yield* new NotFound({ resource: "rpc_endpoint", id: endpoint })
  })

  const cordon = Effect.fn("RpcEndpoints.cordon")(function* (endpoint: string, reason: string) {
    yield* requireCredential
    yield* requireEndpoint(endpoint)
    return yield* cordons.add(endpoint, reason)
  })

  const uncordon = Effect.fn("RpcEndpoints.uncordon")(function* (endpoint: string) {
    yield* requireCredential
    // An endpoint that is configured no more may still be cordoned.
    if (!(yield* cordons.remove(endpoint))) yield* requireEndpoint(endpoint)
  })

  return { cordon, uncordon }
})
