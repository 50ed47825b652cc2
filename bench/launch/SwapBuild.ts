import { createRequire } from "node:module"
import { PoolDirectory } from "@launch-registry/chain/launch/PoolDirectory"
import { Pools } from "@launch-registry/chain/launch/Pools"
import { Swaps } from "@launch-registry/chain/launch/Swaps"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as sdk from "@meteora-ag/dynamic-bonding-curve-sdk"
import BN from "bn.js"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { slowChain } from "./SlowChain.ts"

/**
 * Building a swap by mint: the plain SDK and our service, alternately, over the same chain 60 ms away. Both end with a
 * transaction that a wallet can sign.
 */
const LATENCIES_MILLIS = [0, 20, 60] as const
const ROUNDS = 15
const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const AMOUNT = 1_000_000_000n
const SLIPPAGE_BPS = 100

const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)

/** As in the SDK's documentation. */
const plainly = (url: string) => {
  const connection = new web3.Connection(url, "confirmed")
  const client = new sdk.DynamicBondingCurveClient(connection, "confirmed")
  const owner = new web3.PublicKey(SIGNER)
  const baseMint = new web3.PublicKey(SEEDED_MINTS.spl)
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
      swapBaseForQuote: false,
      amountIn: new BN(AMOUNT.toString()),
      slippageBps: SLIPPAGE_BPS,
      hasReferral: false,
      currentPoint,
      eligibleForFirstSwapWithMinFee: false,
    })
    const transaction = await client.pool.swap({
      owner,
      pool: found.publicKey as never,
      amountIn: new BN(AMOUNT.toString()),
      minimumAmountOut: quote.minimumAmountOut,
      swapBaseForQuote: false,
      referralTokenAccount: null,
    })
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    transaction.recentBlockhash = blockhash
    transaction.feePayer = owner
    return transaction.serialize({ requireAllSignatures: false }).length
  }
}

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
  const request = {
    baseMint: SEEDED_MINTS.spl,
    signer: SIGNER,
    amountIn: AMOUNT,
    slippageBps: SLIPPAGE_BPS,
    swapBaseForQuote: false,
  }
  return {
    build: async () =>
      (await runtime.runPromise(Effect.flatMap(Swaps, ({ build }) => build(request)))).unsigned.transaction.length,
    close: () => runtime.dispose(),
  }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

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

await Effect.runPromise(Effect.scoped(Effect.provide(measure, LocalChain.layer({}))))
process.exit()
