import { Effect } from "effect"

/** Waits until something holds, however long that takes on a busy machine: what never comes true is the test's timeout. */
export const until = <E, R>(what: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (!(yield* what)) yield* Effect.sleep(20)
  })
