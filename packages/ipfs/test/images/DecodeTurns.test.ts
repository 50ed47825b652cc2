import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { DECODE_BYTES_MAX, type DecodeTurns, makeDecodeTurns } from "../../src/images/DecodeTurns.ts"

const MIB = 1_048_576
const image = (decodeBytes: number) => ({ decodeBytes, widthPixels: 1_000, heightPixels: 1_000, frames: 2 })

/** A decoder, started or waiting, that runs until it is released. */
const begin = (turns: DecodeTurns, caller: string, order: Array<string> = []) =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const decoder = { isBegun: false }
    const work = Effect.andThen(
      Effect.sync(() => {
        decoder.isBegun = true
        order.push(caller)
      }),
      Effect.uninterruptible(Deferred.await(done)),
    )
    const fiber = yield* Effect.forkChild(turns.decodeInTurn(caller, image(MIB), work), { startImmediately: true })
    return { decoder, fiber, release: Deferred.succeed(done, undefined) }
  })

type Begun = Effect.Success<ReturnType<typeof begin>>

const begunOf = (decoders: ReadonlyArray<Begun>) => decoders.filter(({ decoder }) => decoder.isBegun).length

const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

describe("Turns of decoding", () => {
  it.effect("are one at a time, whoever asks", () =>
    Effect.gen(function* () {
      const turns = yield* makeDecodeTurns
      const all = yield* Effect.forEach(["a", "a", "b", "c", "c", "c"], (caller) => begin(turns, caller))
      for (let ended = 0; ended < all.length; ended++) {
        yield* settled
        assert.strictEqual(begunOf(all), ended + 1)
        const running = all.find(({ decoder, fiber }) => decoder.isBegun && fiber.pollUnsafe() === undefined)
        yield* running!.release
        yield* Fiber.join(running!.fiber)
      }
    }),
  )

  it.effect("go round the callers, so that one who sends many waits for himself", () =>
    Effect.gen(function* () {
      const turns = yield* makeDecodeTurns
      const order: Array<string> = []
      const crowd = yield* Effect.forEach(Array.from({ length: 10 }), () => begin(turns, "a", order))
      const others = yield* Effect.forEach(["b", "c"], (caller) => begin(turns, caller, order))
      for (const { release } of [...crowd, ...others]) yield* release
      yield* Effect.forEach([...crowd, ...others], ({ fiber }) => Fiber.join(fiber))
      assert.strictEqual(order.length, 12)
      assert.includeMembers(order.slice(0, 4), ["b", "c"])
    }),
  )

  it.effect("are waited for at most ten seconds, and then refused as busy", () =>
    Effect.gen(function* () {
      const turns = yield* makeDecodeTurns
      const first = yield* begin(turns, "a")
      const waiting = yield* Effect.forEach(["a", "b", "c"], (caller) => begin(turns, caller))
      yield* TestClock.adjust("9 seconds")
      assert.isTrue(waiting.every(({ fiber }) => fiber.pollUnsafe() === undefined))
      yield* TestClock.adjust("1 second")
      for (const { fiber } of waiting) assert.strictEqual((yield* Effect.flip(Fiber.join(fiber)))._tag, "Busy")
      assert.strictEqual(begunOf(waiting), 0)
      // The one that runs is waited for, however long it takes.
      assert.isUndefined(first.fiber.pollUnsafe())
      yield* first.release
      yield* Fiber.join(first.fiber)
      const next = yield* begin(turns, "b")
      assert.isTrue(next.decoder.isBegun)
      yield* next.release
    }),
  )

  it.effect("end with decoders that fail, and with callers that leave only when their decoder does", () =>
    Effect.gen(function* () {
      const turns = yield* makeDecodeTurns
      for (let round = 0; round < 20; round++) {
        const failing = turns.decodeInTurn("a", image(MIB), Effect.fail("damaged"))
        assert.strictEqual(yield* Effect.flip(failing), "damaged")
        const running = yield* begin(turns, "a")
        const waiting = yield* Effect.forEach(["a", "b", "b"], (caller) => begin(turns, caller))
        const leaving = yield* Effect.forkChild(
          Effect.forEach([running, ...waiting], ({ fiber }) => Fiber.interrupt(fiber), { concurrency: "unbounded" }),
        )
        yield* settled
        const next = yield* begin(turns, "c")
        assert.isFalse(next.decoder.isBegun)
        // A turn that comes while its caller leaves is not lost.
        yield* running.release
        yield* Fiber.interrupt(waiting[round % 3]!.fiber)
        yield* Fiber.join(leaving)
        yield* settled
        assert.strictEqual(begunOf(waiting), 0)
        assert.isTrue(next.decoder.isBegun)
        yield* next.release
        yield* Fiber.join(next.fiber)
      }
    }),
  )

  it.effect("refuse an image above the limit of memory, naming the largest accepted size", () =>
    Effect.gen(function* () {
      const turns = yield* makeDecodeTurns
      const failure = yield* Effect.flip(turns.decodeInTurn("a", image(2 * DECODE_BYTES_MAX), Effect.die("decoded")))
      assert.strictEqual(failure._tag, "InvalidRequest")
      assert.match(
        failure._tag === "InvalidRequest" ? failure.issues[0]!.message : "",
        /512 MiB.* 256 .* 1000000 pixels/,
      )
    }),
  )
})
