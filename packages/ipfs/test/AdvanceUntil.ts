import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Lets the test's time pass in small steps, and real time for the database between them, until something holds. */
export const advanceUntil = Effect.fnUntraced(function* (holds: () => boolean, stepMillis = 100) {
  while (!holds()) {
    yield* TestClock.adjust(stepMillis)
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
  }
})
