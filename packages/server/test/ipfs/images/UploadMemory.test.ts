import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeUploadMemory } from "../../../src/ipfs/images/UploadMemory.ts"

const MIB = 1_048_576
const LARGEST = 15 * MIB

/** Uploads that begin to read and stay until they are let go; what they hold together, and the most it ever was. */
const makeHall = Effect.gen(function* () {
  const memory = yield* makeUploadMemory
  const doors = new Map<number, Deferred.Deferred<void>>()
  const hall = { inside: 0, heldBytes: 0, heldBytesMax: 0 }
  let entered = 0
  const enter = (bytes: number | undefined) =>
    Effect.forkChild(
      memory.hold(
        bytes,
        Effect.acquireUseRelease(
          Effect.sync(() => {
            hall.inside++
            hall.heldBytes += bytes ?? LARGEST
            hall.heldBytesMax = Math.max(hall.heldBytesMax, hall.heldBytes)
            const door = Deferred.makeUnsafe<void>()
            doors.set(entered++, door)
            return door
          }),
          Deferred.await,
          () =>
            Effect.sync(() => {
              hall.inside--
              hall.heldBytes -= bytes ?? LARGEST
            }),
        ),
      ),
      { startImmediately: true },
    )
  return { hall, enter, letOut: (place: number) => Deferred.succeed(doors.get(place)!, undefined) }
})

describe("The memory of uploads", () => {
  it.effect("has room for four of the largest, and for the next when one is done", () =>
    Effect.gen(function* () {
      const { enter, hall, letOut } = yield* makeHall
      const uploads = yield* Effect.forEach(Array.from({ length: 10 }), () => enter(LARGEST))
      yield* Effect.yieldNow
      assert.strictEqual(hall.inside, 4)
      for (let place = 0; place < uploads.length; place++) {
        yield* letOut(place)
        yield* Effect.yieldNow
        yield* Effect.yieldNow
      }
      yield* Fiber.awaitAll(uploads)
      assert.strictEqual(hall.inside, 0)
      assert.isAtMost(hall.heldBytesMax, 64 * MIB)
    }),
  )

  it.effect("counts who does not say how much, or says more than may be, as one of the largest", () =>
    Effect.gen(function* () {
      const { enter, hall } = yield* makeHall
      for (const bytes of [undefined, 1e12, undefined, undefined, undefined, undefined]) yield* enter(bytes)
      yield* Effect.yieldNow
      assert.strictEqual(hall.inside, 4)
    }),
  )

  it.effect("lets the small pass the large that wait", () =>
    Effect.gen(function* () {
      const { enter, hall } = yield* makeHall
      for (let upload = 0; upload < 6; upload++) yield* enter(LARGEST)
      for (let upload = 0; upload < 10; upload++) yield* enter(100_000)
      yield* Effect.yieldNow
      assert.strictEqual(hall.inside, 14)
    }),
  )

  it.effect("sends away who waits too long, without having begun to read", () =>
    Effect.gen(function* () {
      const { enter, hall, letOut } = yield* makeHall
      for (let upload = 0; upload < 4; upload++) yield* enter(LARGEST)
      const late = yield* enter(LARGEST)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(Fiber.join(late)))._tag, "UploadsBusy")
      assert.strictEqual(hall.inside, 4)
      // Nothing is lost of the room by that.
      yield* letOut(0)
      yield* enter(LARGEST)
      yield* Effect.yieldNow
      assert.strictEqual(hall.inside, 4)
    }),
  )

  it.effect("is free again after uploads that fail or are broken off", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      for (let upload = 0; upload < 20; upload++) {
        assert.strictEqual(yield* Effect.flip(memory.hold(LARGEST, Effect.fail("refused"))), "refused")
        const broken = yield* Effect.forkChild(memory.hold(LARGEST, Effect.never), { startImmediately: true })
        yield* Effect.yieldNow
        yield* Fiber.interrupt(broken)
      }
      assert.strictEqual(yield* memory.hold(LARGEST, Effect.succeed("stored")), "stored")
    }),
  )
})
