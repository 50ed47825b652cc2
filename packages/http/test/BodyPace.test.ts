import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { makeBodyPace } from "../src/requests/BodyPace.ts"

const KIB = 1_024

/** Reads a body whose chunks arrive after these seconds; `undefined` while it has not ended. */
const read = (pieces: ReadonlyArray<readonly [afterSeconds: number, bytes: number]>) =>
  Effect.gen(function* () {
    const body = Stream.fromIterable(pieces).pipe(
      Stream.mapEffect(([seconds, bytes]) => Effect.as(Effect.sleep(seconds * 1_000), bytes)),
    )
    const fiber = yield* Effect.forkChild(
      Effect.result(Stream.runDrain(makeBodyPace(() => "too slow").keptBy(body, (bytes) => bytes))),
    )
    return {
      after: (seconds: number) =>
        Effect.gen(function* () {
          yield* TestClock.adjust(seconds * 1_000)
          return fiber.pollUnsafe() === undefined ? undefined : (yield* Fiber.join(fiber))._tag
        }),
    }
  })

const every = (count: number, seconds: number, bytes: number) =>
  Array.from({ length: count }, () => [seconds, bytes] as const)

describe("The pace of a body", () => {
  it.effect("ends a body that stalls for 5 s, however much came before", () =>
    Effect.gen(function* () {
      for (const begun of [[], [[0, 15_000 * KIB]]] as const) {
        const body = yield* read([...begun, [1_000, 1]])
        assert.isUndefined(yield* body.after(4.9))
        assert.strictEqual(yield* body.after(0.1), "Failure")
      }
    }),
  )

  it.effect("ends a body that drips", () =>
    Effect.gen(function* () {
      const body = yield* read(every(100, 1, KIB))
      assert.strictEqual(yield* body.after(6), "Failure")
      const full = yield* read([[0, 15_000 * KIB], ...every(100, 4, KIB)])
      assert.strictEqual(yield* full.after(6), "Failure")
    }),
  )

  it.effect("accepts a body that keeps the minimum rate, also in bursts", () =>
    Effect.gen(function* () {
      const even = yield* read(every(60, 1, 32 * KIB))
      assert.strictEqual(yield* even.after(60), "Success")
      const gusty = yield* read(every(15, 4, 128 * KIB))
      assert.strictEqual(yield* gusty.after(60), "Success")
      const small = yield* read([[4.5, 100]])
      assert.strictEqual(yield* small.after(4.5), "Success")
    }),
  )

  it.effect("does not count time in which the server does not read", () =>
    Effect.gen(function* () {
      const body = Stream.fromIterable(every(10, 0, KIB)).pipe(Stream.rechunk(1))
      const slowReader = makeBodyPace(() => "too slow").keptBy(body, () => KIB)
      const fiber = yield* Effect.forkChild(Stream.runForEach(slowReader, () => Effect.sleep("9 seconds")))
      yield* TestClock.adjust("90 seconds")
      yield* Fiber.join(fiber)
    }),
  )
})
