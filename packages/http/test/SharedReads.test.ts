import { ReadSource, type ReplicaConnections } from "@launch-registry/postgres/replicas/ReadSource"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { PATIENCE_MILLIS, SharedReads } from "../src/answers/SharedReads.ts"

/** What a read sees when it begins; it ends when it is told to. */
const shelf = Effect.gen(function* () {
  const reads = new SharedReads()
  const begun = yield* Queue.unbounded<Deferred.Deferred<void, string>>()
  const state = { written: 0, begun: 0 }
  const read = (key = "a") =>
    reads.read(
      key,
      Effect.gen(function* () {
        const seen = state.written
        state.begun++
        const ending = yield* Deferred.make<void, string>()
        yield* Queue.offer(begun, ending)
        yield* Deferred.await(ending)
        return seen
      }),
    )
  /** Begins to wait before the next step. */
  const asking = (key?: string) => Effect.forkChild(read(key), { startImmediately: true })
  const end = Effect.flatMap(Queue.take(begun), (ending) => Deferred.succeed(ending, undefined))
  return { asking, begun, end, read, reads, state }
})

describe("Reads of the same thing", () => {
  it.effect("on another replica are other reads", () =>
    Effect.gen(function* () {
      const { asking, end, state } = yield* shelf
      const on = (name: string) =>
        Effect.provideService(asking(), ReadSource, { replica: { name } as ReplicaConnections })
      const all = [yield* asking(), yield* on("replica-1"), yield* on("replica-2")]
      assert.strictEqual(state.begun, 3)
      for (const one of all) {
        yield* end
        yield* Fiber.join(one)
      }
    }),
  )

  it.effect("share the one that begins next, never the one that runs", () =>
    Effect.gen(function* () {
      const { asking, end, reads, state } = yield* shelf
      const first = yield* asking()
      state.written = 1
      const others = yield* Effect.all(Array.from({ length: 50 }, () => asking()))
      assert.strictEqual(state.begun, 1)
      state.written = 2
      yield* end
      assert.strictEqual(yield* Fiber.join(first), 0)
      const last = yield* asking()
      state.written = 3
      yield* end
      for (const other of others) assert.strictEqual(yield* Fiber.join(other), 2)
      yield* end
      assert.isAtLeast(yield* Fiber.join(last), 2)
      assert.strictEqual(state.begun, 3)
      assert.strictEqual(reads.size, 0)
    }),
  )

  it.effect("share nothing with reads of something else", () =>
    Effect.gen(function* () {
      const { asking, end, state } = yield* shelf
      const both = [yield* asking("a"), yield* asking("b")]
      assert.strictEqual(state.begun, 2)
      yield* Effect.all([end, end])
      yield* Effect.forEach(both, Fiber.join)
    }),
  )

  it.effect("go on when the one who reads leaves, or some who wait", () =>
    Effect.gen(function* () {
      const { asking, begun, end, reads, state } = yield* shelf
      const [reader, leaving, staying] = [yield* asking(), yield* asking(), yield* asking()]
      yield* Fiber.interrupt(reader)
      yield* Queue.take(begun)
      yield* Fiber.interrupt(leaving)
      yield* end
      assert.strictEqual(yield* Fiber.join(staying), 0)
      assert.strictEqual(state.begun, 2)
      assert.strictEqual(reads.size, 0)
    }),
  )

  it.effect("do not wait for one that takes long", () =>
    Effect.gen(function* () {
      const { asking, begun, reads, state } = yield* shelf
      const slow = yield* asking()
      state.written = 1
      const next = yield* Effect.all([asking(), asking()])
      yield* TestClock.adjust(PATIENCE_MILLIS)
      assert.strictEqual(state.begun, 2)
      const last = yield* asking()
      assert.strictEqual(state.begun, 2)
      const [slowEnd, nextEnd] = [yield* Queue.take(begun), yield* Queue.take(begun)]
      yield* Deferred.succeed(nextEnd, undefined)
      for (const one of next) assert.strictEqual(yield* Fiber.join(one), 1)
      yield* Deferred.succeed(yield* Queue.take(begun), undefined)
      assert.strictEqual(yield* Fiber.join(last), 1)
      assert.strictEqual(reads.size, 0)
      yield* Deferred.succeed(slowEnd, undefined)
      assert.strictEqual(yield* Fiber.join(slow), 0)
      assert.deepStrictEqual([state.begun, reads.size], [3, 0])
    }),
  )

  it.effect("are not begun when nobody waits any more", () =>
    Effect.gen(function* () {
      const { asking, end, reads, state } = yield* shelf
      const [reader, leaving] = [yield* asking(), yield* asking()]
      yield* Fiber.interrupt(leaving)
      yield* TestClock.adjust(PATIENCE_MILLIS)
      yield* end
      yield* Fiber.join(reader)
      assert.strictEqual(state.begun, 1)
      assert.strictEqual(reads.size, 0)
    }),
  )

  it.effect("fail together, and not the next one", () =>
    Effect.gen(function* () {
      const { asking, begun, end, reads } = yield* shelf
      const [first, ...others] = [yield* asking(), yield* asking(), yield* asking()]
      yield* end
      yield* Fiber.join(first)
      yield* Deferred.fail(yield* Queue.take(begun), "away")
      for (const other of others) assert.deepStrictEqual(yield* Fiber.await(other), Exit.fail("away"))
      const next = yield* asking()
      yield* end
      assert.strictEqual(yield* Fiber.join(next), 0)
      assert.strictEqual(reads.size, 0)
    }),
  )

  it.effect("leave nothing behind, whoever leaves when", () =>
    Effect.gen(function* () {
      const { read, reads } = yield* shelf
      const asked = yield* Effect.all(Array.from({ length: 30 }, () => Effect.forkChild(read())))
      for (const [at, one] of asked.entries()) {
        if (at % 3 === 0) yield* Effect.yieldNow
        yield* Fiber.interrupt(one)
      }
      assert.strictEqual(reads.size, 0)
    }),
  )
})
