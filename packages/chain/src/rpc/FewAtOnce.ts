import { Effect, Semaphore } from "effect"

/** Runs some work at once, has some wait, and refuses what is beyond that: what anybody can ask for costs calls to the chain. */
export const fewAtOnce = <Refusal>(atOnce: number, waiting: number, refusal: () => Refusal) => {
  const turns = Semaphore.makeUnsafe(atOnce)
  let begun = 0
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Refusal, R> =>
    Effect.suspend((): Effect.Effect<A, E | Refusal, R> => {
      if (begun === atOnce + waiting) return Effect.fail(refusal())
      begun++
      return Effect.ensuring(
        turns.withPermit(work),
        Effect.sync(() => begun--),
      )
    })
}
