import { Effect, Predicate, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { type IntentsUnavailable, isOfOneAnswer } from "./intents/IntentsErrors.ts"

/**
 * What the swap service is asked for. Apart, because one may fail where the others do not: with quotes refused, swaps are
 * followed all the same.
 */
export type UpstreamCall = "watch" | "quote" | "tokens"

/** Resolution of `answered_at`: it is written this often at most. */
const ANSWERED_MILLIS = 30_000
/** Failures in a row, of all processes together, that open the breaker. */
const FAILURES_MAX = 5
const BACKOFF_MILLIS = 2_000
const BACKOFF_MILLIS_MAX = 60_000
/** Lease of the probe: longer than the deadline of a request. */
const PROBE_MILLIS = 15_000
/** Pause after a 429 without Retry-After, and the longest Retry-After that is honoured. */
const PAUSE_MILLIS = 5_000
const PAUSE_MILLIS_MAX = 3_600_000

/** What is known of the swap service. */
export interface UpstreamState {
  /** When this was so, by the clock that processes share. */
  readonly at: Date
  /** Milliseconds until it may be asked; 0 when it may be now. */
  readonly waitMillis: number
  /** The breaker is open, or lets one probe at a time through. */
  readonly isAway: boolean
  /** Why it failed last; none once it has answered. */
  readonly reason: IntentsUnavailable["reason"] | undefined
  /** Failures since it last answered. */
  readonly failures: number
  /** When it last answered, to half a minute; none before it was asked. */
  readonly answeredAt: Date | undefined
}

/** Permission to send a request, or none. */
export interface UpstreamEntry extends UpstreamState {
  readonly isOpen: boolean
  /** No request was sent: frees the probe. */
  readonly release: Effect.Effect<void>
}

export interface UpstreamBreaker {
  readonly state: Effect.Effect<UpstreamState>
  /** While the breaker is open, one probe of all processes is admitted at a time. */
  readonly enter: Effect.Effect<UpstreamEntry>
  /** A request whose outcome is remembered. It is sent in any state: its caller has entered. */
  readonly observed: <A, E>(
    request: Effect.Effect<A, E | IntentsUnavailable>,
  ) => Effect.Effect<A, E | IntentsUnavailable>
}

export const isIntentsUnavailable = (error: unknown): error is IntentsUnavailable =>
  Predicate.isTagged(error, "IntentsUnavailable")

interface StateRow {
  readonly failures: number
  readonly reason: IntentsUnavailable["reason"] | null
  readonly at: Date
  readonly waitsUntil: Date | null
  readonly answeredAt: Date | null
}

/**
 * The breaker for one kind of call, shared by all processes through a row. A Retry-After holds for all kinds. It decides when
 * the swap service is called, and does not affect the status of a swap.
 */
export const upstreamBreaker = (call: UpstreamCall): Effect.Effect<UpstreamBreaker, never, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const moment = yield* sharedClock

    const state = Effect.gen(function* () {
      const { now } = yield* moment
      const [row] = yield* sql<StateRow>`
        select ${now} as at, failures, reason, answered_at,
          greatest(rests_until, probe_until, (select max(paused_until) from bridge_upstream)) as waits_until
        from bridge_upstream where name = ${call}`.pipe(Effect.orDie)
      const { answeredAt, at, failures, reason, waitsUntil } = row!
      return {
        at,
        waitMillis: Math.max(0, (waitsUntil?.getTime() ?? 0) - at.getTime()),
        isAway: failures >= FAILURES_MAX,
        reason: reason ?? undefined,
        failures,
        answeredAt: answeredAt ?? undefined,
      }
    })

    const enter = Effect.gen(function* () {
      const known = yield* state
      if (known.waitMillis > 0) return { ...known, isOpen: false, release: Effect.void }
      if (!known.isAway) return { ...known, isOpen: true, release: Effect.void }
      const { after, now } = yield* moment
      const [taken] = yield* sql<{ readonly probeUntil: Date }>`
        update bridge_upstream set probe_until = ${after(PROBE_MILLIS)}
        where name = ${call} and failures >= ${FAILURES_MAX}
          and (rests_until is null or rests_until <= ${now}) and (probe_until is null or probe_until <= ${now})
        returning probe_until`.pipe(Effect.orDie)
      if (taken === undefined) return { ...known, waitMillis: BACKOFF_MILLIS, isOpen: false, release: Effect.void }
      const release = sql`
        update bridge_upstream set probe_until = null where name = ${call} and probe_until = ${taken.probeUntil}`.pipe(
        Effect.orDie,
        Effect.asVoid,
      )
      return { ...known, isOpen: true, release }
    })

    const succeeded = Effect.gen(function* () {
      const { after, now } = yield* moment
      yield* sql`
        update bridge_upstream
        set failures = 0, reason = null, rests_until = null, probe_until = null, answered_at = ${now}
        where name = ${call}
          and (failures > 0 or answered_at is null or answered_at <= ${after(-ANSWERED_MILLIS)})`.pipe(Effect.orDie)
    })

    const pause = Effect.fnUntraced(function* (millis: number) {
      const { after } = yield* moment
      yield* sql`
        update bridge_upstream set paused_until = greatest(paused_until, ${after(Math.min(millis, PAUSE_MILLIS_MAX))})
        where name = ${call}`.pipe(Effect.orDie)
    })

    const failed = Effect.fnUntraced(function* ({ reason, status }: IntentsUnavailable) {
      const { now } = yield* moment
      const jitter = 0.5 + 0.5 * (yield* Random.next)
      // A failure during the backoff was already in flight and does not count. All rows are locked, so that one of two
      // simultaneous failures is the first.
      const [written] = yield* sql<{ readonly failures: number; readonly wasRefused: boolean | null }>`
        with held as (select reason from bridge_upstream order by name for update),
          before as (select bool_or(reason = 'unauthorized') as was_refused from held)
        update bridge_upstream u set failures = u.failures + 1, reason = ${reason}, probe_until = null,
          rests_until = case when u.failures + 1 < ${FAILURES_MAX}::integer then null else ${now}
            + interval '1 millisecond' * ${jitter}::float8
            * least(${BACKOFF_MILLIS_MAX}::integer,
              ${BACKOFF_MILLIS}::integer * power(2, least(u.failures + 1 - ${FAILURES_MAX}::integer, 20))) end
        from before where u.name = ${call} and (u.rests_until is null or u.rests_until <= ${now})
        returning u.failures, before.was_refused`.pipe(Effect.orDie)
      if (written === undefined) return
      const facts = Effect.annotateLogs({ call, reason, httpStatus: status ?? "" })
      if (reason === "unauthorized" && written.wasRefused !== true)
        yield* Effect.logError(
          "The swap service refuses INTENTS_API_KEY, or asks for one: nothing is quoted or polled until it accepts one",
        ).pipe(facts)
      if (written.failures === FAILURES_MAX)
        yield* Effect.logWarning("The swap service is down: swaps keep their status until it answers again").pipe(facts)
    })

    const observed: UpstreamBreaker["observed"] = (request) =>
      request.pipe(
        Effect.tap(() => succeeded),
        Effect.tapError((error) =>
          Effect.gen(function* () {
            // A refusal is an answer: the service is up.
            if (!isIntentsUnavailable(error)) return yield* succeeded
            if (error.retryAfterMillis !== undefined || error.reason === "rate_limited")
              yield* pause(error.retryAfterMillis ?? PAUSE_MILLIS)
            if (error.reason !== "rate_limited" && !isOfOneAnswer(error)) yield* failed(error)
          }),
        ),
      )

    return { state, enter, observed }
  })
