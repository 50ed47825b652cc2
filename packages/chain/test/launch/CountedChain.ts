import { Effect, Layer, Redacted } from "effect"
import { SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { PoolDirectory } from "../../src/launch/PoolDirectory.ts"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
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
        const headers = { "content-type": "application/json" }
        void fetch(chainUrl, { method: "POST", headers, body: JSON.stringify(call) }).then(async (answer) =>
          response.end(await answer.text()),
        )
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
