import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createRequire } from "node:module"
import { PoolDirectory } from "@launch-registry/chain/pools/PoolDirectory"
import { Pools } from "@launch-registry/chain/pools/Pools"
import { Swaps } from "@launch-registry/chain/swaps/Swaps"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"

import * as sdk from "@meteora-ag/dynamic-bonding-curve-sdk"
import BN from "bn.js"
import { median } from "../Quantiles.ts"

/**
 * Building a swap by mint on the curve: the DBC SDK used plainly and our service, alternately, over the same chain, up to 60 ms away. Both
 * end with a transaction that a wallet can sign.
 */
const LATENCIES_MILLIS = [0, 20, 60] as const
const ROUNDS = 15
/** The swap that both build. */
const SWAP = {
  baseMint: SEEDED_MINTS.spl,
  signer: "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR",
  amountIn: 1_000_000_000n,
  slippageBps: 100,
  swapBaseForQuote: false,
} as const

const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)

/** As in the SDK's documentation. */
const plainly = (url: string) => {
  const connection = new web3.Connection(url, "confirmed")
  const client = new sdk.DynamicBondingCurveClient(connection, "confirmed")
  const owner = new web3.PublicKey(SWAP.signer)
  const baseMint = new web3.PublicKey(SWAP.baseMint)
  const amountIn = new BN(SWAP.amountIn.toString())
  return async () => {
    const found = (await client.state.getPoolByBaseMint(baseMint)) as never as {
      readonly publicKey: unknown
      readonly account: { readonly config: unknown; readonly poolState?: { readonly config: unknown } }
    }
    const state = found.account.poolState ?? found.account
    const config = (await client.state.getPoolConfig(state.config as never)) as never as {
      readonly activationType: number
    }
    const currentPoint = await sdk.getCurrentPoint(connection, config.activationType)
    const quote = client.pool.swapQuote({
      virtualPool: found.account as never,
      config: config as never,
      swapBaseForQuote: SWAP.swapBaseForQuote,
      amountIn,
      slippageBps: SWAP.slippageBps,
      hasReferral: false,
      currentPoint,
      eligibleForFirstSwapWithMinFee: false,
    })
    const transaction = await client.pool.swap({
      owner,
      pool: found.publicKey as never,
      amountIn,
      minimumAmountOut: quote.minimumAmountOut,
      swapBaseForQuote: SWAP.swapBaseForQuote,
      referralTokenAccount: null,
    })
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    transaction.recentBlockhash = blockhash
    transaction.feePayer = owner
    return transaction.serialize({ requireAllSignatures: false }).length
  }
}

/** A proxy to a chain that adds latency and counts requests. */
interface SlowChain {
  readonly url: string
  /** Requests since the last call, without probes of the failover. */
  readonly taken: () => number
  readonly close: () => void
}

/** Forwards JSON-RPC to a chain; every answer takes `latencyMillis` longer. */
const slowChain = (chainUrl: string, latencyMillis: number): Promise<SlowChain> =>
  new Promise((resolve) => {
    let requests = 0
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += chunk))
      request.on("end", () => {
        if (!body.includes('"probe-')) requests++
        const init = { method: "POST", headers: { "content-type": "application/json" }, body }
        void fetch(chainUrl, init).then(async (answer) => {
          const text = await answer.text()
          setTimeout(() => response.setHeader("content-type", "application/json").end(text), latencyMillis)
        })
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const taken = () => {
        const count = requests
        requests = 0
        return count
      }
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ url: `http://127.0.0.1:${port}`, taken, close })
    })
  })

const ours = (url: string) => {
  const directory = Layer.succeed(PoolDirectory, {
    find: (baseMint: string) => Effect.succeed(SEEDED_POOLS.filter((pool) => pool.baseMint === baseMint)),
  })
  const runtime = ManagedRuntime.make(
    Swaps.layer.pipe(
      Layer.provide(Layer.provide(Pools.layer, directory)),
      Layer.provide(Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS })),
      Layer.provide(Logger.layer([])),
    ),
  )
  return {
    build: async () =>
      (await runtime.runPromise(Effect.flatMap(Swaps, ({ build }) => build(SWAP)))).unsigned.transaction.length,
    close: () => runtime.dispose(),
  }
}

const measure = Effect.gen(function* () {
  const { url } = yield* LocalChain
  process.stdout.write("| latency | built by | requests | median | against the SDK |\n|---|---|---|---|---|\n")
  for (const latency of LATENCIES_MILLIS) {
    const chain = yield* Effect.promise(() => slowChain(url, latency))
    const service = ours(chain.url)
    const contenders = [
      { name: "the SDK, plainly", build: plainly(chain.url), millis: new Array<number>(), requests: 0 },
      { name: "the service", build: service.build, millis: new Array<number>(), requests: 0 },
    ]
    // Warms up connections, code and the caches of the pool.
    for (const { build } of contenders) yield* Effect.promise(build)
    for (let round = 0; round < ROUNDS; round++) {
      for (const contender of contenders) {
        chain.taken()
        const from = performance.now()
        yield* Effect.promise(contender.build)
        contender.millis.push(performance.now() - from)
        contender.requests = Math.max(contender.requests, chain.taken())
      }
    }
    const [plain] = contenders.map(({ millis }) => median(millis))
    for (const { millis, name, requests } of contenders) {
      const took = median(millis)
      process.stdout.write(
        `| ${latency} ms | ${name} | ${requests} | ${took.toFixed(1)} ms | ${(plain! / took).toFixed(1)}x |\n`,
      )
    }
    yield* Effect.promise(service.close)
    chain.close()
  }
})
await Effect.runPromise(Effect.scoped(Effect.provide(measure, LocalChain.layer({ stage: "mid" }))))
process.exit()
