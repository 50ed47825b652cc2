import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeJsonBodyMemory } from "../src/requests/JsonBodyMemory.ts"

const MIB = 1024 * 1024

describe("The memory of JSON bodies", () => {
  const make = () => makeJsonBodyMemory({ jsonBytesMax: 3 * MIB, jsonWaitMillis: 10_000 })

  /** A body of which so many bytes have arrived. */
  const hold = ({ claims }: ReturnType<typeof make>, bytes: number) => Effect.flatMap(claims, (claim) => claim(bytes))

  it.effect("is granted while it lasts; the next body waits until another one releases its share", () =>
    Effect.gen(function* () {
      const memory = make()
      const scopes = yield* Effect.forEach([1, 2, 3], () => Scope.make())
      for (const scope of scopes) yield* Scope.provide(hold(memory, MIB), scope)
      const fourth = yield* Effect.forkChild(Effect.scoped(hold(memory, MIB)))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(fourth.pollUnsafe())
      yield* Scope.close(scopes[0]!, Exit.void)
      yield* Fiber.join(fourth)
    }),
  )

  it.effect("is refused after a wait that is too long, but never to small bodies", () =>
    Effect.gen(function* () {
      const memory = make()
      yield* hold(memory, 3 * MIB)
      const refused = yield* Effect.forkChild(Effect.flip(Effect.scoped(hold(memory, 70_000))))
      yield* Effect.scoped(hold(memory, 60_000))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(refused))._tag, "Busy")
    }).pipe(Effect.scoped),
  )

  it.effect("counts received bytes, not bodies of which nothing has arrived", () =>
    Effect.gen(function* () {
      const memory = make()
      const idle = yield* Effect.forEach(Array.from({ length: 100 }), () => memory.claims)
      const claim = yield* memory.claims
      for (let piece = 0; piece < 48; piece++) yield* claim(64 * 1024)
      const next = yield* Effect.forkChild(Effect.flip(idle[0]!(MIB)))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(next))._tag, "Busy")
    }).pipe(Effect.scoped),
  )
})
