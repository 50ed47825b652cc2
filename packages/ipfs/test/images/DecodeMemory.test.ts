import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { DECODE_BYTES_MAX, type DecodeMemory, makeDecodeMemory } from "../../src/images/DecodeMemory.ts"

const MIB = 1_048_576
const image = (decodeBytes: number) => ({ decodeBytes, widthPixels: 1_000, heightPixels: 1_000, frames: 2 })

/** A decoder, started or waiting, that runs until it is released. */
const begin = (memory: DecodeMemory, decodeBytes: number) =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const decoder = { isBegun: false }
    const work = Effect.andThen(
      Effect.sync(() => (decoder.isBegun = true)),
      Deferred.await(done),
    )
    const fiber = yield* Effect.forkChild(memory.decodeWithin(image(decodeBytes), work), { startImmediately: true })
    return { decoder, fiber, end: Effect.andThen(Deferred.succeed(done, undefined), Fiber.await(fiber)) }
  })

const beginMany = (memory: DecodeMemory, count: number, decodeBytes: number) =>
  Effect.forEach(Array.from({ length: count }), () => begin(memory, decodeBytes))

const begunOf = (decoders: ReadonlyArray<{ readonly decoder: { readonly isBegun: boolean } }>) =>
  decoders.filter(({ decoder }) => decoder.isBegun).length

const turns = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

describe("The memory for decoders", () => {
  it.effect("admits one big image at a time, and small ones next to it", () =>
    Effect.gen(function* () {
      const memory = yield* makeDecodeMemory
      const big = yield* beginMany(memory, 3, 65 * MIB)
      const small = yield* beginMany(memory, 10, MIB)
      assert.strictEqual(begunOf(big), 1)
      assert.strictEqual(begunOf(small), 10)
      for (const [place, { end }] of big.entries()) {
        yield* end
        yield* turns
        assert.strictEqual(begunOf(big), Math.min(3, place + 2))
      }
    }),
  )

  it.effect("stays within 256 MiB, and even the smallest image counts", () =>
    Effect.gen(function* () {
      const memory = yield* makeDecodeMemory
      assert.strictEqual(begunOf(yield* beginMany(memory, 10, 60 * MIB)), 4)
      const other = yield* makeDecodeMemory
      assert.strictEqual(begunOf(yield* beginMany(other, 300, 100)), 256)
    }),
  )

  it.effect("admits the big one in its turn, however many small ones follow", () =>
    Effect.gen(function* () {
      const memory = yield* makeDecodeMemory
      const first = yield* begin(memory, 60 * MIB)
      const big = yield* begin(memory, DECODE_BYTES_MAX)
      const later = yield* beginMany(memory, 5, MIB)
      assert.strictEqual(begunOf([big, ...later]), 0)
      yield* first.end
      yield* turns
      assert.isTrue(big.decoder.isBegun)
      yield* big.end
      yield* turns
      assert.strictEqual(begunOf(later), 5)
    }),
  )

  it.effect("refuses an image above the limit, naming the largest accepted size", () =>
    Effect.gen(function* () {
      const memory = yield* makeDecodeMemory
      const failure = yield* Effect.flip(memory.decodeWithin(image(2 * DECODE_BYTES_MAX), Effect.die("decoded")))
      assert.match(failure.reason, /512 MiB.* 256 .* 1000000 pixels/)
    }),
  )

  it.effect("is released by decoders that fail and callers that leave", () =>
    Effect.gen(function* () {
      const memory = yield* makeDecodeMemory
      for (let round = 0; round < 5; round++) {
        const failing = memory.decodeWithin(image(DECODE_BYTES_MAX), Effect.fail("damaged"))
        assert.strictEqual(yield* Effect.flip(failing), "damaged")
        const decoding = yield* begin(memory, DECODE_BYTES_MAX)
        for (const { fiber } of yield* beginMany(memory, 3, DECODE_BYTES_MAX)) yield* Fiber.interrupt(fiber)
        for (const { fiber } of yield* beginMany(memory, 3, MIB)) yield* Fiber.interrupt(fiber)
        yield* decoding.end
      }
      assert.isTrue((yield* begin(memory, DECODE_BYTES_MAX)).decoder.isBegun)
    }),
  )
})
