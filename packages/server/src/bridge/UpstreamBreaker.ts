import { Clock, Effect, Predicate, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { IntentsUnavailable } from "./intents/IntentsErrors.ts"

/** Failures in a row, of all processes together, after which the swap service is left alone for a while. */
const FAILURES_MAX = 5
const REST_MILLIS = 2_000
const REST_MILLIS_MAX = 60_000
/** What 429 means when it does not say for how long, and the longest that it is taken at its word. */
const PAUSE_MILLIS = 5_000
const PAUSE_MILLIS_MAX = 3_600_000

/** What is known of the swap service. */
export interface UpstreamState {
  /** Until then it is not asked; 0 when it may be. */
  readonly waitMillis: number
  /** It failed often and has not answered since: one request at a time finds out. */
  readonly isAway: boolean
}

export interface UpstreamBreaker {
  readonly state: Effect.Effect<UpstreamState>
  /** A request whose outcome is remembered. It is made whatever the state is: who makes it has asked. */
  readonly observed: <A, E>(
    request: Effect.Effect<A, E | IntentsUnavailable>,
  ) => Effect.Effect<A, E | IntentsUnavailable>
}

export const isIntentsUnavailable = (error: unknown): error is IntentsUnavailable =>
  Predicate.isTagged(error, "IntentsUnavailable")

/** Answers that cannot be read may be about one swap: they say nothing of all others. */
const IS_OF_ONE: ReadonlySet<IntentsUnavailable["reason"]> = new Set<IntentsUnavailable["reason"]>([
  "malformed",
  "too_large",
])

/**
 * The breaker before the swap service, shared by all processes through a row. It moves when things are asked, and never
 * what is said of a swap.
 */
export const upstreamBreaker: Effect.Effect<UpstreamBreaker, never, SqlClient> = Effect.map(SqlClient, (sql) => {
  const state = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{
      readonly failures: number
      readonly waitsUntil: Date | null
    }>`select failures, greatest(rests_until, paused_until) as waits_until from bridge_upstream`.pipe(Effect.orDie)
    return {
      waitMillis: Math.max(0, (row?.waitsUntil?.getTime() ?? 0) - now),
      isAway: (row?.failures ?? 0) >= FAILURES_MAX,
    }
  })

  const succeeded = sql`
    update bridge_upstream set failures = 0, rests_until = null where failures > 0 or rests_until is not null
    returning id`.pipe(Effect.orDie, Effect.asVoid)

  const pause = Effect.fnUntraced(function* (millis: number) {
    const until = new Date((yield* Clock.currentTimeMillis) + Math.min(millis, PAUSE_MILLIS_MAX))
    yield* sql`update bridge_upstream set paused_until = greatest(paused_until, ${until})`.pipe(Effect.orDie)
  })

  const failed = Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const jitter = 0.5 + 0.5 * (yield* Random.next)
    // Requests that were under way when it began to rest say nothing new.
    const rows = yield* sql<{ readonly failures: number }>`
      update bridge_upstream set failures = failures + 1,
        rests_until = case when failures + 1 < ${FAILURES_MAX}::integer then null else ${now}::timestamptz
          + interval '1 millisecond' * ${jitter}::float8
          * least(${REST_MILLIS_MAX}::integer, ${REST_MILLIS}::integer * power(2, least(failures + 1 - ${FAILURES_MAX}::integer, 20))) end
      where rests_until is null or rests_until <= ${now}
      returning failures`.pipe(Effect.orDie)
    if (rows[0]?.failures === FAILURES_MAX)
      yield* Effect.logWarning("The swap service is away: swaps keep their status until it answers again")
  })

  const observed: UpstreamBreaker["observed"] = (request) =>
    request.pipe(
      Effect.tap(() => succeeded),
      Effect.tapError((error) =>
        Effect.gen(function* () {
          // A refusal is an answer: the service is there.
          if (!isIntentsUnavailable(error)) return yield* succeeded
          if (error.retryAfterMillis !== undefined || error.reason === "rate_limited")
            yield* pause(error.retryAfterMillis ?? PAUSE_MILLIS)
          if (error.reason !== "rate_limited" && !IS_OF_ONE.has(error.reason)) yield* failed
        }),
      ),
    )

  return { state, observed }
})
