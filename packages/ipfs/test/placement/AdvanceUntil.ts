import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Advances the test clock in small steps, and gives the database real time between them, until a condition holds. */
export const advanceUntil = Effect.fnUntraced(function* (holds: () => boolean, stepMillis = 100) {
  while (!holds()) {
    yield* TestClock.adjust(stepMillis)
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
  }
})
