import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer, Redacted } from "effect"
import { SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { PoolDirectory } from "../../src/launch/PoolDirectory.ts"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** A chain behind a door that writes down what is asked of it. */
export interface Counted {
  readonly url: string
  /** Methods that were called, probes left out; emptied by whoever wants to count anew. */
  readonly methods: Array<string>
}

/** Forwards JSON-RPC to a chain and counts. */
export const counted = (chainUrl: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Counted & { readonly close: () => void }>((resolve) => {
          const methods: Array<string> = []
          const server = createServer((request, response) => {
            let body = ""
            request.on("data", (chunk) => (body += chunk))
            request.on("end", () => {
              const { id, method } = JSON.parse(body) as { readonly id: unknown; readonly method: string }
              if (!String(id).startsWith("probe-")) methods.push(method)
              const init = { method: "POST", headers: { "content-type": "application/json" }, body }
              void fetch(chainUrl, init).then(async (answer) => response.end(await answer.text()))
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            const close = () => {
              server.close()
              server.closeAllConnections()
            }
            resolve({ url: `http://127.0.0.1:${port}`, methods, close })
          })
        }),
    ),
    ({ close }) => Effect.sync(close),
  )

export const rpcOver = (url: string) => Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS })

/** Knows the pools that the local chain is seeded with. */
export const seededDirectory = Layer.succeed(PoolDirectory, {
  find: (baseMint) => Effect.succeed(SEEDED_POOLS.filter((pool) => pool.baseMint === baseMint)),
})
