import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue } from "effect"
import { ReadSource, type ReplicaConnections } from "../src/ReadSource.ts"
import { rowsByKey } from "../src/RowsByKey.ts"

interface Row {
  readonly key: string
  readonly version: string
}

/** A table of which each statement sees what was committed when it began, and answers when it is let go. */
const table = Effect.gen(function* () {
  const committed = new Map([["a", "1"]])
  const begun = yield* Queue.unbounded<{
    readonly keys: ReadonlyArray<string>
    readonly letGo: Effect.Effect<unknown>
  }>()
  const rowOf = rowsByKey<Row>(
    ({ key }) => key,
    (keys) =>
      Effect.gen(function* () {
        const seen: ReadonlyArray<Row> = keys.flatMap((key) => {
          const version = committed.get(key)
          return version === undefined ? [] : [{ key, version }]
        })
        const held = yield* Deferred.make<void>()
        yield* Queue.offer(begun, { keys, letGo: Deferred.succeed(held, undefined) })
        yield* Deferred.await(held)
        return seen
      }),
  )
  const versionOf = (key: string) => Effect.map(rowOf(key), (row) => row?.version)
  return { begun, committed, versionOf }
})

describe("Rows by their keys", () => {
  it.effect("that are asked for at the same moment are read by one statement", () =>
    Effect.gen(function* () {
      const { begun, versionOf } = yield* table
      const asking = yield* Effect.forkChild(Effect.all(["a", "b", "a"].map(versionOf), { concurrency: "unbounded" }))
      const { keys, letGo } = yield* Queue.take(begun)
      assert.deepStrictEqual(keys, ["a", "b"])
      yield* letGo
      assert.deepStrictEqual(yield* Fiber.join(asking), ["1", undefined, "1"])
      assert.strictEqual(yield* Queue.size(begun), 0)
    }),
  )

  it.effect("are never those of a statement that began before they were asked for", () =>
    Effect.gen(function* () {
      const { begun, committed, versionOf } = yield* table
      const before = yield* Effect.forkChild(versionOf("a"))
      const first = yield* Queue.take(begun)
      committed.set("a", "2")
      const after = yield* Effect.forkChild(versionOf("a"))
      const second = yield* Queue.take(begun)
      yield* second.letGo
      assert.strictEqual(yield* Fiber.join(after), "2")
      yield* first.letGo
      assert.strictEqual(yield* Fiber.join(before), "1")
    }),
  )

  it.effect("are read where each of those who asked reads", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [source: string, keys: ReadonlyArray<string>]> = []
      const rowOf = rowsByKey<Row>(
        ({ key }) => key,
        (keys) =>
          Effect.gen(function* () {
            seen.push([(yield* ReadSource)?.replica === undefined ? "primary" : "replica", keys])
            return []
          }),
      )
      const replica = {} as ReplicaConnections
      const onReplica = (key: string) => Effect.provideService(rowOf(key), ReadSource, { replica })
      yield* Effect.all([onReplica("a"), rowOf("a"), onReplica("c")], { concurrency: "unbounded" })
      assert.sameDeepMembers(seen, [
        ["replica", ["a", "c"]],
        ["primary", ["a"]],
      ])
    }),
  )

  it.effect("are still read when one of those who asked has gone", () =>
    Effect.gen(function* () {
      const { begun, versionOf } = yield* table
      const [gone, staying] = [yield* Effect.forkChild(versionOf("a")), yield* Effect.forkChild(versionOf("a"))]
      const { letGo } = yield* Queue.take(begun)
      yield* Fiber.interrupt(gone)
      yield* letGo
      assert.strictEqual(yield* Fiber.join(staying), "1")
    }),
  )
})
