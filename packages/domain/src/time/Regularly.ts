import { Cause, Effect, Schedule } from "effect"

/**
 * Repeats `work` forever with a pause in between. Failures are retried; the first of a series is logged. An error for
 * which `isFinal` holds ends it.
 */
export const regularly = (
  what: string,
  everyMillis: number,
  work: Effect.Effect<unknown, unknown>,
  isFinal: (error: unknown) => boolean = () => false,
): Effect.Effect<unknown, unknown> => {
  let isFailing = false
  const attempt = work.pipe(
    Effect.tap(() => Effect.sync(() => void (isFailing = false))),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause) || isFinal(Cause.squash(cause))) return Effect.failCause(cause)
      const isNews = !isFailing
      isFailing = true
      return isNews ? Effect.logWarning(`${what} failed and will be retried`, cause) : Effect.void
    }),
  )
  return Effect.repeat(attempt, Schedule.spaced(everyMillis))
}
