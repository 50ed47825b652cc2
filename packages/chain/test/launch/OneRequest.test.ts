import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { loadDbcSdk } from "../../src/dbc/DbcSdk.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_MINTS, SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { counted, rpcOver, seededDirectory } from "./CountedChain.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const UNKNOWN_MINT = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
const buy = {
  baseMint: SEEDED_MINTS.spl,
  signer: SIGNER,
  amountIn: 1_000_000n,
  slippageBps: 100,
  swapBaseForQuote: false,
}

/** Runs with services without caches, over a chain that counts requests. */
const counting = <E>(
  directory: Layer.Layer<PoolDirectory>,
  test: (methods: Array<string>) => Effect.Effect<void, E, Pools | Swaps>,
) =>
  Effect.gen(function* () {
    const { url } = yield* LocalChain
    const chain = yield* counted(url)
    const services = Swaps.layer.pipe(
      Layer.provideMerge(Layer.provide(Pools.layer, directory)),
      Layer.provideMerge(rpcOver(chain.url)),
    )
    // Importing the SDK blocks the event loop long enough for the cached blockhash to age.
    yield* Effect.promise(loadDbcSdk)
    yield* Effect.gen(function* () {
      // Until the first probe is answered, a blockhash costs a request of its own.
      yield* Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getSlot()))
      chain.methods.length = 0
      yield* test(chain.methods)
    }).pipe(Effect.provide(Layer.fresh(services)))
  })

layer(LocalChain.layer({ stage: "migrated" }), { excludeTestServices: true })(
  "A mint whose curve has migrated",
  (it) => {
    it.effect("costs one RPC request for a swap in its DAMM v2 pool as well", () =>
      counting(seededDirectory, (methods) =>
        Effect.gen(function* () {
          const swaps = yield* Swaps
          for (const baseMint of Object.values(SEEDED_MINTS)) {
            const built = yield* swaps.build({ ...buy, baseMint })
            assert.strictEqual(built.quote.venue, "damm_v2")
            taken(methods)
            yield* swaps.build({ ...buy, baseMint })
            assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
            yield* swaps.quote({ ...buy, baseMint, swapBaseForQuote: true })
            assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
          }
        }),
      ),
    )
  },
)

/** Empties the list and returns what was in it. */
const taken = (methods: Array<string>): ReadonlyArray<string> => methods.splice(0)

layer(LocalChain.layer({}), { excludeTestServices: true })("A mint that was seen before", (it) => {
  it.effect("costs one RPC request for any call about its pool", () =>
    counting(seededDirectory, (methods) =>
      Effect.gen(function* () {
        const pools = yield* Pools
        const swaps = yield* Swaps
        yield* swaps.build(buy)
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts", "getMultipleAccounts"])
        yield* swaps.build(buy)
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
        yield* swaps.build({ ...buy, swapBaseForQuote: true })
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
        yield* swaps.quote(buy)
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
        yield* pools.getCurve(buy.baseMint)
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts"])
        yield* swaps.build(buy, { simulate: true })
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts", "simulateTransaction"])
      }),
    ),
  )

  it.effect("is searched for among its transactions only once in a while when it is unknown", () =>
    counting(PoolDirectory.layerEmpty, (methods) =>
      Effect.gen(function* () {
        const swaps = yield* Swaps
        for (let request = 0; request < 3; request++) {
          const error = yield* Effect.flip(swaps.build({ ...buy, baseMint: UNKNOWN_MINT }))
          assert.strictEqual(error._tag, "NotFound")
        }
        assert.deepStrictEqual(taken(methods), ["getSignaturesForAddress"])
      }),
    ),
  )

  it.effect("is not found by a wrong hint", () => {
    const [spl, token2022] = SEEDED_POOLS
    const lying = Layer.succeed(PoolDirectory, {
      find: () =>
        Effect.succeed([{ pool: token2022!.pool }, { pool: SIGNER }, { pool: spl!.config, config: spl!.pool }]),
    })
    return counting(lying, () =>
      Effect.gen(function* () {
        const swaps = yield* Swaps
        assert.strictEqual((yield* Effect.flip(swaps.build(buy)))._tag, "NotFound")
      }),
    )
  })

  it.effect("is found once a deployment that was built here has landed", () =>
    counting(PoolDirectory.layerEmpty, (methods) =>
      Effect.gen(function* () {
        const pools = yield* Pools
        const swaps = yield* Swaps
        assert.strictEqual((yield* Effect.flip(swaps.quote(buy)))._tag, "NotFound")
        taken(methods)
        yield* pools.expect(buy.baseMint, SEEDED_POOLS[0]!)
        yield* swaps.quote(buy)
        assert.deepStrictEqual(taken(methods), ["getMultipleAccounts", "getMultipleAccounts"])
      }),
    ),
  )
})
