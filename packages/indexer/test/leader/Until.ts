import { Effect } from "effect"

/** Waits until something holds; dies when it has not come true after many looks. */
export const until = <E, R>(what: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    for (let look = 0; look < 500; look++) {
      if (yield* what) return
      yield* Effect.sleep(20)
    }
    return yield* Effect.die(new Error("It did not come true"))
  })
