import { Effect } from "effect"

/** Waits until a condition holds; a condition that never holds ends with the test's timeout. */
export const until = <E, R>(what: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (!(yield* what)) yield* Effect.sleep(20)
  })
