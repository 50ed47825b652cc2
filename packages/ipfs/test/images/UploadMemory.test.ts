import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeUploadMemory, type UploadMemory } from "../../src/images/UploadMemory.ts"

const LARGEST = 15 * 1_048_576

/** An upload of so many bytes that goes on until it is interrupted. */
const open = (memory: UploadMemory, bytes: number) =>
  Effect.gen(function* () {
    const claimed = yield* Deferred.make<void>()
    const upload = memory.hold((claim) =>
      claim(bytes).pipe(Effect.andThen(Deferred.succeed(claimed, undefined)), Effect.andThen(Effect.never)),
    )
    const fiber = yield* Effect.forkChild(upload, { startImmediately: true })
    yield* Deferred.await(claimed)
    return Fiber.interrupt(fiber)
  })

describe("The memory for uploads", () => {
  it.effect("is refused when 64 MiB were received, and free again once an upload ends, fails or breaks off", () =>
    Effect.gen(function* () {
      const memory = yield* makeUploadMemory
      yield* Effect.forEach(Array.from({ length: 300 }), () => open(memory, 0))
      for (let round = 0; round < 3; round++) {
        const ends = yield* Effect.forEach([1, 2, 3, 4], () => open(memory, LARGEST))
        const late = memory.hold((claim) => Effect.andThen(claim(1_000_000), claim(LARGEST)))
        assert.strictEqual((yield* Effect.flip(late))._tag, "Busy")
        yield* memory.hold((claim) => claim(4_000_000))
        assert.strictEqual(
          yield* Effect.flip(memory.hold((claim) => Effect.andThen(claim(4_000_000), Effect.fail("x")))),
          "x",
        )
        yield* Effect.forEach(ends, (end) => end)
      }
    }),
  )
})
