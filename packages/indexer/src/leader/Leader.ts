import { Cause, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "./Lease.ts"

export interface Leadership {
  readonly name: string
  /** Names this process in the lease. */
  readonly holder: string
  /** A leader that has not renewed for so long is replaced. */
  readonly ttlMillis: number
}

/** Renewals within the TTL, so that one may be lost. */
const RENEWALS = 3

/**
 * Runs `work` whenever this process leads, and never ends: waits for the lease, works, and starts over after a failure, when the lease is
 * lost, or when it yielded to a command. Every write checks the fence, so a leader that was replaced while it stalled writes nothing.
 */
export const whileLeading = Effect.fn("whileLeading")(function* (
  { holder, name, ttlMillis }: Leadership,
  work: (fence: Fence) => Effect.Effect<unknown, unknown>,
): Effect.fn.Return<never, never, SqlClient> {
  const lease = leaseStatements(yield* SqlClient)
  const everyMillis = ttlMillis / RENEWALS

  const lead = (fence: Fence) => {
    // Without an answer within the lease, another process may already lead.
    const untilAskedFor = lease
      .renew(fence, ttlMillis)
      .pipe(
        Effect.timeout(ttlMillis),
        Effect.repeat({ schedule: Schedule.spaced(everyMillis), until: (isAskedFor) => isAskedFor }),
      )
    return Effect.logInfo(`Leads ${name} as ${holder} (token ${fence.token})`).pipe(
      Effect.andThen(Effect.raceFirst(work(fence), untilAskedFor)),
      Effect.ensuring(Effect.ignore(lease.release(fence))),
    )
  }

  let hasWarned = false
  const term = Effect.gen(function* () {
    const isAskedFor = yield* lease.isAskedFor(name)
    const fence = isAskedFor ? undefined : yield* lease.acquire(name, holder, ttlMillis)
    hasWarned = false
    if (fence !== undefined) yield* lead(fence)
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      // An unreachable database fails every attempt: logged once.
      const isNews = !hasWarned
      hasWarned = true
      return isNews ? Effect.logWarning(`Leading ${name} failed`, cause) : Effect.void
    }),
  )
  return yield* Effect.forever(Effect.andThen(term, Effect.sleep(everyMillis))) as Effect.Effect<never>
})
