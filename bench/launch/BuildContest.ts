import { PoolDirectory } from "@launch-registry/chain/launch/PoolDirectory"
import { Pools } from "@launch-registry/chain/launch/Pools"
import { Swaps } from "@launch-registry/chain/launch/Swaps"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS, type SeedStage } from "@launch-registry/chain/localnet/SeedAccounts"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { slowChain } from "./SlowChain.ts"

const LATENCIES_MILLIS = [0, 20, 60] as const
const ROUNDS = 15
/** The swap that both build. */
export const SWAP = {
  baseMint: SEEDED_MINTS.spl,
  signer: "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR",
  amountIn: 1_000_000_000n,
  slippageBps: 100,
  swapBaseForQuote: false,
} as const

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

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

/**
 * Building a swap by mint: an SDK used plainly and our service, alternately, over the same chain at `stage`, up to 60 ms
 * away. Both end with a transaction that a wallet can sign.
 */
export const contest = async (
  stage: SeedStage,
  sdkName: string,
  plainly: (url: string) => () => Promise<number>,
): Promise<void> => {
  const measure = Effect.gen(function* () {
    const { url } = yield* LocalChain
    process.stdout.write("| latency | built by | requests | median | against the SDK |\n|---|---|---|---|---|\n")
    for (const latency of LATENCIES_MILLIS) {
      const chain = yield* Effect.promise(() => slowChain(url, latency))
      const service = ours(chain.url)
      const contenders = [
        { name: sdkName, build: plainly(chain.url), millis: new Array<number>(), requests: 0 },
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
  await Effect.runPromise(Effect.scoped(Effect.provide(measure, LocalChain.layer({ stage }))))
}
