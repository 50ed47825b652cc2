import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeJsonBodyMemory } from "../../src/http/JsonBodyMemory.ts"

const MIB = 1024 * 1024

describe("The memory of JSON bodies", () => {
  const make = () => makeJsonBodyMemory({ jsonBytesMax: 3 * MIB, jsonWaitMillis: 10_000 })

  it.effect("is given to as many as fit; the next one waits, and gets what another gives back", () =>
    Effect.gen(function* () {
      const { hold } = make()
      const scopes = yield* Effect.forEach([1, 2, 3], () => Scope.make())
      for (const scope of scopes) yield* Scope.provide(hold(MIB), scope)
      const fourth = yield* Effect.forkChild(Effect.scoped(hold(MIB)))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(fourth.pollUnsafe())
      yield* Scope.close(scopes[0]!, Exit.void)
      yield* Fiber.join(fourth)
    }),
  )

  it.effect("is refused to who waits too long, and never to small bodies", () =>
    Effect.gen(function* () {
      const { hold } = make()
      yield* hold(3 * MIB)
      const refused = yield* Effect.forkChild(Effect.flip(Effect.scoped(hold(70_000))))
      yield* Effect.scoped(hold(60_000))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(refused))._tag, "BodiesBusy")
    }).pipe(Effect.scoped),
  )
})
