import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { loadDbcSdk } from "../../src/dbc/DbcSdk.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { PriorityFeeMax, PriorityFees } from "../../src/build/PriorityFees.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { priorityFeeLamports } from "../../src/build/UnsignedTransaction.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_MINTS, SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { jsonServer } from "../JsonServer.ts"
import { counted, rpcOver, seededDirectory } from "./CountedChain.ts"

const ACCOUNTS = [SEEDED_POOLS[0]!.pool, SEEDED_POOLS[1]!.pool]
const LIMIT = 200_000
const Lamports = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000_000 }))
const Price = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const Units = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_400_000 }))

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** A node whose transactions paid `fees` lately; `asked` gets the accounts of each request about them. */
const nodeOf = (fees: ReadonlyArray<number>, asked: Array<unknown>) =>
  jsonServer<Call>(({ id, method, params }, response) => {
    const results: Readonly<Record<string, unknown>> = {
      getSlot: 1_000,
      getGenesisHash: SEEDED_MINTS.spl,
      getLatestBlockhash: { context: { slot: 1_000 }, value: { blockhash: ACCOUNTS[0], lastValidBlockHeight: 1_150 } },
      getRecentPrioritizationFees: fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
    }
    if (method === "getRecentPrioritizationFees") asked.push(params[0])
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? null }))
  })

const withNode = <A, E>(
  fees: ReadonlyArray<number>,
  test: (fees: PriorityFees["Service"], asked: Array<unknown>) => Effect.Effect<A, E>,
  maximum = 10_000_000n,
) =>
  Effect.gen(function* () {
    const asked: Array<unknown> = []
    const url = yield* nodeOf(fees, asked)
    const layer = PriorityFees.layer.pipe(
      Layer.provide(Layer.succeed(PriorityFeeMax, maximum)),
      Layer.provide(rpcOver(url)),
    )
    return yield* Effect.flatMap(PriorityFees, (service) => test(service, asked)).pipe(
      Effect.provide(Layer.fresh(layer)),
    )
  }).pipe(Effect.scoped)

describe("A priority fee", () => {
  it.effect("is the percentile of what was paid lately for the accounts, and no less than without asking", () =>
    withNode([90_000, 10, 40_000, 30_000, 20_000, 60_000, 50_000, 80_000], (fees, asked) =>
      Effect.gen(function* () {
        const priceOf = Effect.fnUntraced(function* (fee: "low" | "medium" | "high") {
          return (yield* fees.priceOf(fee, ACCOUNTS))(LIMIT)
        })
        assert.strictEqual(yield* priceOf("low"), 20_000n)
        assert.strictEqual(yield* priceOf("medium"), 40_000n)
        assert.strictEqual(yield* priceOf("high"), 60_000n)
        assert.deepStrictEqual(asked, [ACCOUNTS.toSorted()])
        assert.strictEqual((yield* fees.priceOf("none", ACCOUNTS))(LIMIT), 0n)
        assert.strictEqual((yield* fees.priceOf(undefined, ACCOUNTS))(LIMIT), 10_000n)
        assert.lengthOf(asked, 1)
      }),
    ),
  )

  it.effect("is read once for all who ask within two slots, and again after them", () =>
    withNode([], (fees, asked) =>
      Effect.gen(function* () {
        const prices = yield* Effect.all(
          Array.from({ length: 20 }, (_, at) => fees.priceOf("high", at % 2 === 0 ? ACCOUNTS : ACCOUNTS.toReversed())),
          { concurrency: "unbounded" },
        )
        for (const priceOf of prices) assert.strictEqual(priceOf(LIMIT), 10_000n)
        assert.lengthOf(asked, 1)
        yield* TestClock.adjust("801 millis")
        yield* fees.priceOf("low", ACCOUNTS)
        assert.lengthOf(asked, 2)
      }),
    ),
  )

  it.effect("of a level never costs more than the limit of the service, however high the market is", () =>
    withNode(
      [4_000_000_000],
      (fees) =>
        Effect.gen(function* () {
          const computeUnitPriceMicroLamports = (yield* fees.priceOf("high", []))(LIMIT)
          assert.strictEqual(priorityFeeLamports({ computeUnitLimit: LIMIT, computeUnitPriceMicroLamports }), 777n)
          assert.deepStrictEqual(fees.issuesOf(777n), [])
          assert.strictEqual(fees.issuesOf(778n)[0]?.path, "body.priorityFee")
        }),
      777n,
    ),
  )

  it.effect.prop(
    "in lamports is paid to the lamport, or falls short by less than the limit needs for one more micro-lamport",
    [Lamports, Units],
    ([given, limit]) =>
      withoutChain((fees) =>
        Effect.gen(function* () {
          const lamports = BigInt(given)
          const computeUnitPriceMicroLamports = (yield* fees.priceOf(lamports, []))(limit)
          const paid = priorityFeeLamports({ computeUnitLimit: limit, computeUnitPriceMicroLamports })
          assert.isTrue(paid <= lamports)
          assert.isTrue(lamports - paid <= BigInt(limit) / 1_000_000n + 1n)
        }),
      ),
  )

  it.effect.prop(
    "is never more than the limit of the service, by whichever field, for any limit of units",
    [Price, Units, Schema.Literals([0, 1, 777, 10_000_000])],
    ([given, limit, maximum]) => {
      const price = BigInt(given)
      return withoutChain(
        (fees) =>
          Effect.gen(function* () {
            const paidFor = (computeUnitPriceMicroLamports: bigint) =>
              priorityFeeLamports({ computeUnitLimit: limit, computeUnitPriceMicroLamports })
            for (const fee of [undefined, "none", 0n, price] as const)
              assert.isTrue(paidFor((yield* fees.priceOf(fee, []))(limit)) <= BigInt(maximum), String(fee))
            const isTaken = fees.issuesOfPrice(price, limit).length === 0
            assert.strictEqual(isTaken, paidFor(price) <= BigInt(maximum))
          }),
        BigInt(maximum),
      )
    },
  )

  it.effect("of a swap has its limit also where it is given as a price", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalChain
      const services = Swaps.layer.pipe(
        Layer.provide(Layer.provide(Pools.layer, seededDirectory)),
        Layer.provide(rpcOver(url)),
      )
      yield* Effect.gen(function* () {
        const swaps = yield* Swaps
        const swap = {
          ...{ baseMint: SEEDED_MINTS.spl, signer: SEEDED_POOLS[0]!.creator, amountIn: 1_000_000n, slippageBps: 100 },
          swapBaseForQuote: false,
        }
        // 200,000 units at this price are 0.01 SOL.
        const { unsigned } = yield* swaps.build(swap, { computeUnitPriceMicroLamports: 50_000_000n })
        assert.strictEqual(unsigned.priorityFeeLamports, "10000000")
        for (const computeUnitPriceMicroLamports of [50_000_001n, 1_000_000_000_000n, 2n ** 64n - 1n]) {
          const refused = yield* Effect.flip(swaps.build(swap, { computeUnitPriceMicroLamports }))
          assert.deepStrictEqual(refused._tag === "InvalidRequest" && refused.issues.map(({ path }) => path), [
            "body.computeUnitPriceMicroLamports",
          ])
        }
      }).pipe(Effect.provide(Layer.fresh(services)))
    }).pipe(Effect.provide(LocalChain.layer({}))),
  )

  it.effect("costs a swap one request more when a level is asked for, and none otherwise", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalChain
      const chain = yield* counted(url)
      const services = Swaps.layer.pipe(
        Layer.provideMerge(Layer.provide(Pools.layer, seededDirectory)),
        Layer.provideMerge(rpcOver(chain.url)),
      )
      yield* Effect.promise(loadDbcSdk)
      yield* Effect.gen(function* () {
        const swaps = yield* Swaps
        yield* Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getSlot()))
        const swap = {
          ...{ baseMint: SEEDED_MINTS.spl, signer: SEEDED_POOLS[0]!.creator, amountIn: 1_000_000n, slippageBps: 100 },
          swapBaseForQuote: false,
        }
        yield* swaps.build(swap)
        for (const priorityFee of [undefined, "none", 5_000n] as const) {
          chain.methods.length = 0
          yield* swaps.build(swap, priorityFee === undefined ? {} : { priorityFee })
          assert.deepStrictEqual(chain.methods, ["getMultipleAccounts"])
        }
        chain.methods.length = 0
        const { unsigned } = yield* swaps.build(swap, { priorityFee: "high" })
        assert.deepStrictEqual(chain.methods, ["getMultipleAccounts", "getRecentPrioritizationFees"])
        assert.strictEqual(unsigned.priorityFeeLamports, "2000")
        const exact = yield* swaps.build(swap, { priorityFee: 5_000n, simulate: true })
        assert.strictEqual(exact.unsigned.priorityFeeLamports, "5000")
        const both = { priorityFee: "low", computeUnitPriceMicroLamports: 1n } as const
        const refused = yield* Effect.flip(swaps.build(swap, both))
        assert.strictEqual(refused._tag === "InvalidRequest" && refused.issues[0]?.path, "body.priorityFee")
      }).pipe(Effect.provide(Layer.fresh(services)))
    }).pipe(Effect.provide(LocalChain.layer({}))),
  )
})

const noChain = Layer.succeed(Rpc, {
  call: () => Effect.die("no request is needed"),
} as unknown as Rpc["Service"])

const withoutChain = <A, E>(test: (fees: PriorityFees["Service"]) => Effect.Effect<A, E>, maximum = 10_000_000n) =>
  Effect.flatMap(PriorityFees, test).pipe(
    Effect.provide(
      Layer.fresh(
        PriorityFees.layer.pipe(Layer.provide(noChain), Layer.provide(Layer.succeed(PriorityFeeMax, maximum))),
      ),
    ),
  )
