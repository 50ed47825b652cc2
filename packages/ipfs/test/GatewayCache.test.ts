import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, identity, Option } from "effect"
import { BlockCache } from "../src/gateway/BlockCache.ts"

/** A cache of texts over a store that counts reads; the size of an entry is its length plus overhead. */
const cacheOver = (stored: Map<string, string>, bytesMax: number) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const load = (key: string) =>
      Effect.sync(() => {
        asked.push(key)
        return Option.fromNullishOr(stored.get(key))
      })
    const scope = yield* Effect.scope
    const cache = new BlockCache<string>({
      bytesMax,
      bytesOf: (value) => value.length,
      detached: identity,
      load,
      scope,
    })
    return { asked, cache }
  })

const KIB = "k".repeat(1_024)

describe("The block cache", () => {
  it.effect("reads a block once", () =>
    Effect.gen(function* () {
      const { asked, cache } = yield* cacheOver(new Map([["a", "A"]]), 10_000)
      assert.deepStrictEqual(yield* cache.read("a"), Option.some("A"))
      assert.deepStrictEqual(yield* cache.read("a"), Option.some("A"))
      assert.deepStrictEqual(asked, ["a"])
    }),
  )

  it.effect("stays within its size, and evicts the least recently used", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c"]
      const { asked, cache } = yield* cacheOver(new Map(names.map((name) => [name, KIB])), 4_000)
      yield* Effect.forEach(["a", "b", "a", "c"], (name) => cache.read(name))
      assert.isAtMost(cache.bytes, 4_000)
      assert.deepStrictEqual(
        names.map((name) => cache.get(name) !== undefined),
        [true, false, true],
      )
      yield* cache.read("b")
      assert.deepStrictEqual(asked, ["a", "b", "c", "b"])
      assert.isAtMost(cache.bytes, 4_000)
    }),
  )

  it.effect("does not keep larger buffers alive", () =>
    Effect.gen(function* () {
      const buffer = new Uint8Array(100_000)
      const cache = new BlockCache<Uint8Array>({
        bytesMax: 10_000,
        bytesOf: (value) => value.length,
        detached: (value) => value.slice(),
        load: () => Effect.succeedSome(buffer.subarray(10, 20)),
        scope: yield* Effect.scope,
      })
      yield* cache.read("a")
      assert.strictEqual(cache.get("a")?.buffer.byteLength, 10)
    }),
  )

  it.effect("keeps neither a block that is too large nor anything when its size is 0", () =>
    Effect.gen(function* () {
      for (const bytesMax of [0, 1_000]) {
        const { asked, cache } = yield* cacheOver(new Map([["a", KIB]]), bytesMax)
        assert.deepStrictEqual(yield* cache.read("a"), Option.some(KIB))
        yield* cache.read("a")
        assert.deepStrictEqual(asked, ["a", "a"])
        assert.strictEqual(cache.bytes, 0)
      }
    }),
  )

  it.effect("does not cache a miss, or a value other than wanted", () =>
    Effect.gen(function* () {
      const stored = new Map<string, string>()
      const { cache } = yield* cacheOver(stored, 10_000)
      assert.isTrue(Option.isNone(yield* cache.read("a")))
      stored.set("a", "a leaf")
      assert.deepStrictEqual(yield* cache.read("a"), Option.some("a leaf"))
      const isUpload = (value: string) => value === "an upload"
      assert.isTrue(Option.isNone(yield* cache.read("a", isUpload)))
      stored.set("a", "an upload")
      assert.deepStrictEqual(yield* cache.read("a", isUpload), Option.some("an upload"))
      assert.deepStrictEqual(cache.get("a"), "an upload")
      assert.isAtMost(cache.bytes, 1_000)
    }),
  )

  it.effect("shares one read between concurrent callers, even if the first one leaves", () =>
    Effect.gen(function* () {
      const goOn = yield* Deferred.make<Option.Option<string>>()
      let asked = 0
      const load = () => Effect.suspend(() => (asked++, Deferred.await(goOn)))
      const cache = new BlockCache({
        bytesMax: 1_000,
        bytesOf: () => 1,
        detached: identity<string>,
        load,
        scope: yield* Effect.scope,
      })
      const readers = yield* Effect.forEach([1, 2, 3], () =>
        Effect.forkChild(cache.read("a"), { startImmediately: true }),
      )
      yield* Fiber.interrupt(readers[0]!)
      yield* Deferred.succeed(goOn, Option.some("A"))
      assert.deepStrictEqual(yield* Fiber.joinAll(readers.slice(1)), [Option.some("A"), Option.some("A")])
      assert.strictEqual(asked, 1)
    }),
  )

  it.effect("shares one read between a read-ahead and the reader", () =>
    Effect.gen(function* () {
      const { asked, cache } = yield* cacheOver(new Map([["a", "A"]]), 0)
      const goOn = yield* Deferred.make<Option.Option<string>>()
      let begun = 0
      const load = () => Effect.suspend(() => (begun++, Deferred.await(goOn)))
      const slow = new BlockCache({
        bytesMax: 0,
        bytesOf: () => 1,
        detached: identity<string>,
        load,
        scope: yield* Effect.scope,
      })
      const ahead = [yield* slow.readAhead("a"), yield* slow.readAhead("a")]
      yield* Deferred.succeed(goOn, Option.some("A"))
      assert.deepStrictEqual(yield* Effect.all(ahead), [Option.some("A"), Option.some("A")])
      assert.strictEqual(begun, 1)
      const read = yield* cache.readAhead("a")
      assert.deepStrictEqual(yield* read, Option.some("A"))
      assert.deepStrictEqual(asked, ["a"])
    }),
  )

  it.effect("finds blocks written while a read that missed them is still in flight", () =>
    Effect.gen(function* () {
      const late = yield* Deferred.make<Option.Option<string>>()
      const answers = [Deferred.await(late), Effect.succeedSome("A")]
      const load = () => Effect.suspend(() => answers.shift()!)
      const cache = new BlockCache({
        bytesMax: 1_000,
        bytesOf: () => 1,
        detached: identity<string>,
        load,
        scope: yield* Effect.scope,
      })
      const before = yield* Effect.forkChild(cache.read("a"), { startImmediately: true })
      const after = yield* Effect.forkChild(cache.read("a"), { startImmediately: true })
      yield* Deferred.succeed(late, Option.none())
      assert.isTrue(Option.isNone(yield* Fiber.join(before)))
      assert.deepStrictEqual(yield* Fiber.join(after), Option.some("A"))
    }),
  )

  it.effect("reads again after a failed read", () =>
    Effect.gen(function* () {
      const answers = [Effect.die(new Error("no database")), Effect.succeedSome("A")]
      const load = () => Effect.suspend(() => answers.shift()!)
      const cache = new BlockCache({
        bytesMax: 1_000,
        bytesOf: () => 1,
        detached: identity<string>,
        load,
        scope: yield* Effect.scope,
      })
      assert.strictEqual((yield* Effect.exit(cache.read("a")))._tag, "Failure")
      assert.deepStrictEqual(yield* cache.read("a"), Option.some("A"))
    }),
  )
})
