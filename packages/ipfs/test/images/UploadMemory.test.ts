import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type ClaimBytes, makeUploadMemory, type UploadMemory } from "../../src/images/UploadMemory.ts"

const MIB = 1_048_576
const LARGEST = 15 * MIB

/** An upload whose body arrives as the test says, until it is released. */
const open = (memory: UploadMemory, ...pieces: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const more = yield* Deferred.make<number>()
    const progress = { isInside: false, arrivedBytes: 0 }
    const read = (claim: ClaimBytes, bytes: number) =>
      Effect.andThen(
        claim(bytes),
        Effect.sync(() => (progress.arrivedBytes += bytes)),
      )
    const fiber = yield* Effect.forkChild(
      memory.hold((claim) =>
        Effect.gen(function* () {
          progress.isInside = true
          for (const bytes of pieces) yield* read(claim, bytes)
          yield* Effect.raceFirst(
            Effect.flatMap(Deferred.await(more), (bytes) => Effect.andThen(read(claim, bytes), Deferred.await(done))),
            Deferred.await(done),
          )
        }),
      ),
      { startImmediately: true },
    )
    const letOut = Effect.andThen(Deferred.succeed(done, undefined), Fiber.await(fiber))
    return { progress, fiber, letOut, send: (bytes: number) => Deferred.succeed(more, bytes) }
  })

const openMany = (memory: UploadMemory, count: number, ...pieces: ReadonlyArray<number>) =>
  Effect.forEach(Array.from({ length: count }), () => open(memory, ...pieces))

const turns = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

describe("The memory for uploads", () => {
  it.effect("counts received bytes: hundreds of idle uploads leave room for the largest", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      const idle = yield* openMany(memory, 300)
      const large = yield* openMany(memory, 2, LARGEST)
      assert.isTrue(idle.every(({ progress }) => progress.isInside))
      assert.deepStrictEqual(
        large.map(({ progress }) => progress.arrivedBytes),
        [LARGEST, LARGEST],
      )
    }),
  )

  it.effect("is full at 64 MiB, and has room again when an upload is done", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      const uploads = yield* openMany(memory, 10, LARGEST)
      const arrivedBytes = () => uploads.reduce((sum, { progress }) => sum + progress.arrivedBytes, 0)
      assert.strictEqual(arrivedBytes(), 4 * LARGEST)
      for (const [place, { letOut }] of uploads.entries()) {
        yield* letOut
        yield* turns
        assert.strictEqual(arrivedBytes(), Math.min(10, 5 + place) * LARGEST)
      }
    }),
  )

  it.effect("does not deadlock when all uploads wait for more", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      const uploads = yield* openMany(memory, 30, 1.5 * MIB)
      assert.isTrue(uploads.every(({ progress }) => progress.arrivedBytes === 1.5 * MIB))
      for (const { send } of uploads) yield* send(LARGEST - 1.5 * MIB)
      yield* turns
      const ended = new Set<number>()
      // The clock stands still: nobody times out.
      while (ended.size < uploads.length) {
        const place = uploads.findIndex(({ progress }, at) => !ended.has(at) && progress.arrivedBytes === LARGEST)
        assert.isAtLeast(place, 0, `none of those left can end after ${ended.size}`)
        yield* uploads[place]!.letOut
        ended.add(place)
        yield* turns
      }
    }),
  )

  it.effect("admits small uploads while large ones wait", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      yield* openMany(memory, 4, LARGEST)
      const waiting = yield* open(memory, LARGEST)
      const small = yield* openMany(memory, 10, 10_000)
      assert.strictEqual(waiting.progress.arrivedBytes, 0)
      assert.isTrue(small.every(({ progress }) => progress.arrivedBytes === 10_000))
    }),
  )

  it.effect("refuses an upload that waits too long for more, and releases what it had", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      const [first] = yield* openMany(memory, 4, LARGEST)
      const late = yield* open(memory, 2 * MIB, LARGEST - 2 * MIB)
      assert.strictEqual(late.progress.arrivedBytes, 2 * MIB)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(late.fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(Fiber.join(late.fiber)))._tag, "Busy")
      // No memory is leaked by that.
      yield* first!.letOut
      const next = yield* open(memory, LARGEST)
      assert.strictEqual(next.progress.arrivedBytes, LARGEST)
    }),
  )

  it.effect("refuses an upload without any room before it is read", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      yield* openMany(memory, 1_000)
      const late = yield* open(memory)
      yield* TestClock.adjust("10 seconds")
      assert.isFalse(late.progress.isInside)
      assert.strictEqual((yield* Effect.flip(Fiber.join(late.fiber)))._tag, "Busy")
    }),
  )

  it.effect("is released by uploads that fail or break off", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      for (let upload = 0; upload < 20; upload++) {
        const failing = memory.hold((claim) => Effect.andThen(claim(LARGEST), Effect.fail("refused")))
        assert.strictEqual(yield* Effect.flip(failing), "refused")
        const broken = yield* open(memory, LARGEST)
        yield* Fiber.interrupt(broken.fiber)
      }
      const full = yield* openMany(memory, 4, LARGEST)
      assert.isTrue(full.every(({ progress }) => progress.arrivedBytes === LARGEST))
      // Including those that waited.
      const waiting = yield* openMany(memory, 4, LARGEST)
      for (const { fiber } of [...waiting, ...full]) yield* Fiber.interrupt(fiber)
      const again = yield* openMany(memory, 4, LARGEST)
      assert.isTrue(again.every(({ progress }) => progress.arrivedBytes === LARGEST))
    }),
  )
})
