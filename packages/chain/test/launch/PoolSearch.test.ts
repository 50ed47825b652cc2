import { assert, describe, it } from "@effect/vitest"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Deferred, Effect, Fiber, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { PoolDirectory, type PoolHint } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

const [{ baseMint, config, pools }] = launches as [(typeof launches)[number], ...typeof launches]
/** More than are remembered. */
const MINTS = 2_500
const SEARCHED = 100
const AT_ONCE = 4
const BASE_MINT_OFFSET = 136

const mintOf = (index: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return encodeBase58(bytes)
}

/** The captured pool and configuration; every other address holds the pool of the mint of that address. */
const accountAt = (address: string) => {
  const captured = { [config.address]: config.data, [pools.mid.address]: pools.mid.data }[address]
  const data = Buffer.from(captured ?? pools.mid.data, "base64")
  if (captured === undefined) data.set(decodeBase58(address)!, BASE_MINT_OFFSET)
  return { owner: DBC_PROGRAM, lamports: 1n, data: [data.toString("base64"), "base64"] }
}

/** Pools over a node that answers so, with what a directory says. */
const over = (kit: object, hintsOf: (mint: string) => ReadonlyArray<PoolHint>) => {
  const getMultipleAccounts = (addresses: ReadonlyArray<string>) =>
    Effect.succeed({ context: { slot: 1n }, value: addresses.map(accountAt) })
  const api = { getMultipleAccounts, ...kit }
  const rpc = Layer.succeed(Rpc, { call: (request: (kit: typeof api) => unknown) => request(api) } as never)
  const directory = Layer.succeed(PoolDirectory, { find: (mint) => Effect.succeed(hintsOf(mint)) })
  return Pools.layer.pipe(Layer.provide([directory, rpc]))
}
const knownAlone = (mint: string) => (mint === baseMint ? [{ pool: pools.mid.address, config: config.address }] : [])

const factsOf = (mint: string) => Effect.flatMap(Pools, ({ getFacts }) => getFacts(mint))

describe("The search of a pool", () => {
  it.effect(
    "is made again for the mint that was asked for least recently, once there are more than are remembered",
    () => {
      let requests = 0
      const getMultipleAccounts = (addresses: ReadonlyArray<string>) =>
        Effect.sync(() => {
          requests++
          return { context: { slot: 1n }, value: addresses.map(accountAt) }
        })
      const requestsFor = Effect.fn(function* (index: number) {
        requests = 0
        yield* factsOf(mintOf(index))
        return requests
      })
      return Effect.gen(function* () {
        assert.strictEqual(yield* requestsFor(0), 1)
        assert.strictEqual(yield* requestsFor(0), 0)
        for (let index = 1; index <= MINTS; index++) yield* requestsFor(index)
        assert.strictEqual(yield* requestsFor(MINTS), 0)
        assert.strictEqual(yield* requestsFor(0), 1)
      }).pipe(Effect.provide(over({ getMultipleAccounts }, (mint) => [{ pool: mint, config: config.address }])))
    },
  )

  it.effect("is made for few unknown mints at once, few wait, and the known ones are read meanwhile", () =>
    Effect.gen(function* () {
      const [isAnswered, isFull] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let [asked, most] = [0, 0]
      const getSignaturesForAddress = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++asked)
          if (asked === AT_ONCE) yield* Deferred.succeed(isFull, undefined)
          yield* Deferred.await(isAnswered)
          asked--
          return []
        })
      yield* Effect.gen(function* () {
        const looks = yield* Effect.forEach(
          Array.from({ length: SEARCHED }, (_, index) => mintOf(index)),
          (mint) => Effect.forkChild(Effect.flip(factsOf(mint))),
        )
        yield* Deferred.await(isFull)
        assert.strictEqual((yield* factsOf(baseMint)).base.mint, baseMint)
        yield* Effect.yieldNow
        yield* Deferred.succeed(isAnswered, undefined)
        const tags = (yield* Effect.forEach(looks, Fiber.join)).map(({ _tag }) => _tag)
        assert.strictEqual(most, AT_ONCE)
        assert.deepStrictEqual([...new Set(tags)].toSorted(), ["NotFound", "Unavailable"])
        assert.isAtMost(tags.filter((tag) => tag === "NotFound").length, 16)
        assert.strictEqual((yield* Effect.flip(factsOf(mintOf(SEARCHED))))._tag, "NotFound")
      }).pipe(Effect.provide(over({ getSignaturesForAddress }, knownAlone)))
    }),
  )

  it.effect("takes no hint of transactions that a block holds without having executed them", () =>
    Effect.gen(function* () {
      const err = "InsufficientFundsForFee"
      const kit = {
        getSignaturesForAddress: () => Effect.succeed([{ signature: "1".repeat(64), slot: 1n, err }]),
        getTransaction: () => Effect.die("it is not read"),
      }
      const refused = yield* Effect.flip(factsOf(mintOf(1))).pipe(Effect.provide(over(kit, knownAlone)))
      assert.strictEqual(refused._tag, "NotFound")
    }),
  )
})
