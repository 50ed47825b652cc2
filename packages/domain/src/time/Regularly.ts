import { Cause, Effect, Schedule } from "effect"

/**
 * Does `work` again and again, with a pause between. A failure is logged once, until it has passed, and does not keep it from
 * being tried again; only one that `isFinal` names ends it.
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
      return isNews ? Effect.logWarning(`${what} failed and is tried again`, cause) : Effect.void
    }),
  )
  return Effect.repeat(attempt, Schedule.spaced(everyMillis))
}
