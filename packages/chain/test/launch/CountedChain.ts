import { Effect, Layer, Redacted } from "effect"
import { SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { forwardToChain } from "../ForwardToChain.ts"
import { jsonServer } from "../JsonServer.ts"
import { unstalledClock } from "../UnstalledClock.ts"

/** A proxy to a chain that records the requests. */
export interface Counted {
  readonly url: string
  /** Called methods, without probes; empty it to count again. */
  readonly methods: Array<string>
}

/** Forwards JSON-RPC to a chain and counts. */
export const counted = (chainUrl: string) =>
  Effect.suspend(() => {
    const methods: Array<string> = []
    return Effect.map(
      jsonServer<{ readonly id: unknown; readonly method: string }>((call, response) => {
        if (!String(call.id).startsWith("probe-")) methods.push(call.method)
        void forwardToChain(chainUrl, JSON.stringify(call), response)
      }),
      (url): Counted => ({ url, methods }),
    )
  })

export const rpcOver = (url: string) =>
  Layer.provide(Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS }), unstalledClock)

/** Has the pools that the local chain is seeded with. */
export const seededDirectory = Layer.succeed(PoolDirectory, {
  find: (baseMint) => Effect.succeed(SEEDED_POOLS.filter((pool) => pool.baseMint === baseMint)),
})
