import { Cause, Effect, Schedule } from "effect"

/** Whether `work` succeeded. Of failures in a row the first is logged; one that `isFinal` names is passed on. */
const attemptOf = (
  what: string,
  work: Effect.Effect<unknown, unknown>,
  isFinal: (error: unknown) => boolean = () => false,
): Effect.Effect<boolean, unknown> => {
  let isFailing = false
  return work.pipe(
    Effect.map(() => {
      isFailing = false
      return true
    }),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause) || isFinal(Cause.squash(cause))) return Effect.failCause(cause)
      const isFirst = !isFailing
      isFailing = true
      return Effect.as(isFirst ? Effect.logWarning(`${what} failed and will be retried`, cause) : Effect.void, false)
    }),
  )
}

/** Repeats `work` with a pause between, whether it fails or not; only a failure that `isFinal` names ends it. */
export const regularly = (
  what: string,
  everyMillis: number,
  work: Effect.Effect<unknown, unknown>,
  isFinal?: (error: unknown) => boolean,
): Effect.Effect<unknown, unknown> => Effect.repeat(attemptOf(what, work, isFinal), Schedule.spaced(everyMillis))

/** Does `work` once: until it succeeds, it is retried with a pause between. */
export const untilDone = (
  what: string,
  everyMillis: number,
  work: Effect.Effect<unknown, unknown>,
): Effect.Effect<unknown, unknown> =>
  Effect.repeat(attemptOf(what, work), { schedule: Schedule.spaced(everyMillis), until: (isDone) => isDone })
