import { assert, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Deferred, Effect, Fiber, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

const [launch] = launches
const MINTS = 100
const AT_ONCE = 4

const mintOf = (index: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return encodeBase58(bytes)
}

const accountAt = (address: string) => {
  const data = { [launch!.config.address]: launch!.config.data, [launch!.pools.mid.address]: launch!.pools.mid.data }
  return address in data ? { owner: DBC_PROGRAM, lamports: 1n, data: [data[address], "base64"] } : null
}

const directory = Layer.succeed(PoolDirectory, {
  find: (baseMint) =>
    Effect.succeed(
      baseMint === launch!.baseMint ? [{ pool: launch!.pools.mid.address, config: launch!.config.address }] : [],
    ),
})

it.effect(
  "Few mints that nobody knows are looked for on chain at once, few wait, and the known ones are read meanwhile",
  () =>
    Effect.gen(function* () {
      const isAnswered = yield* Deferred.make<void>()
      const isFull = yield* Deferred.make<void>()
      let [asked, most] = [0, 0]
      const kit = {
        getSignaturesForAddress: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++asked)
            if (asked === AT_ONCE) yield* Deferred.succeed(isFull, undefined)
            yield* Deferred.await(isAnswered)
            asked--
            return []
          }),
        getMultipleAccounts: (addresses: ReadonlyArray<string>) =>
          Effect.succeed({ context: { slot: 1n }, value: addresses.map(accountAt) }),
      }
      const rpc = Layer.succeed(Rpc, { call: (request: (api: typeof kit) => unknown) => request(kit) } as never)
      yield* Effect.gen(function* () {
        const { getFacts } = yield* Pools
        const looks = yield* Effect.forEach(
          Array.from({ length: MINTS }, (_, index) => mintOf(index)),
          (mint) => Effect.forkChild(Effect.flip(getFacts(mint))),
        )
        yield* Deferred.await(isFull)
        assert.strictEqual((yield* getFacts(launch!.baseMint)).base.mint, launch!.baseMint)
        yield* Effect.yieldNow
        yield* Deferred.succeed(isAnswered, undefined)
        const tags = (yield* Effect.forEach(looks, Fiber.join)).map(({ _tag }) => _tag)
        assert.strictEqual(most, AT_ONCE)
        assert.deepStrictEqual([...new Set(tags)].toSorted(), ["NotFound", "Unavailable"])
        assert.isAtMost(tags.filter((tag) => tag === "NotFound").length, 16)
        assert.strictEqual((yield* Effect.flip(getFacts(mintOf(MINTS))))._tag, "NotFound")
      }).pipe(Effect.provide(Pools.layer.pipe(Layer.provide([directory, rpc]))))
    }),
)

it.effect("Transactions that a block holds without having executed them are no hints of a mint's pool", () =>
  Effect.gen(function* () {
    const err = "InsufficientFundsForFee"
    let read = 0
    const kit = {
      getSignaturesForAddress: () => Effect.succeed([{ signature: "1".repeat(64), slot: 1n, err }]),
      getTransaction: () => Effect.sync(() => ++read && null),
      getMultipleAccounts: (addresses: ReadonlyArray<string>) =>
        Effect.succeed({ context: { slot: 1n }, value: addresses.map(accountAt) }),
    }
    const rpc = Layer.succeed(Rpc, { call: (request: (api: typeof kit) => unknown) => request(kit) } as never)
    yield* Effect.gen(function* () {
      const { getFacts } = yield* Pools
      assert.strictEqual((yield* Effect.flip(getFacts(mintOf(1))))._tag, "NotFound")
      assert.strictEqual(read, 0)
    }).pipe(Effect.provide(Pools.layer.pipe(Layer.provide([directory, rpc]))))
  }),
)
