import { Cause, type Clock, Deferred, Effect, Latch } from "effect"
import { regularly } from "@launch-registry/postgres/Regularly"
import { budgetLeases, type Lease, type RateLimit } from "./BudgetLeases.ts"

/** Clients that are asked for in one statement; one statement is in flight at a time. */
const CLIENTS_AT_ONCE = 256
/** A database that has not answered after this counts as away. */
const LEASE_MILLIS = 3_000
/** Until then it is not asked again. */
const AWAY_MILLIS = 5_000
const SWEEP_MILLIS = 60_000
/** Clients that are remembered: some 10 MB. */
const CLIENTS_MAX = 50_000

/** Whether a request is within the budget of its client. */
export interface Spending {
  readonly isAllowed: boolean
  readonly remaining: number
  readonly endsInMillis: number
}

/** What a client has left of its window at most: other processes can have spent of it since. */
interface Window {
  left: number
  readonly endsAtMillis: number
}

/** A request that waits to be counted. */
interface Asked {
  readonly weight: number
  readonly answer: Deferred.Deferred<Spending>
}

const nowOf = (clock: Clock.Clock): number => Number(clock.currentTimeNanosUnsafe() / 1_000_000n)

/**
 * One budget of each client over all processes, in the database. While it is away each process counts alone, because a limiter
 * must not be what fails: a client then has its budget once per process. Times are of the process's monotonic clock.
 */
export const sharedBudgets = Effect.fnUntraced(function* (limit: RateLimit, clientsMax = CLIENTS_MAX) {
  const leases = yield* budgetLeases(limit)
  const windows = new Map<string, Window>()
  const waiting = new Map<string, Array<Asked>>()
  const isWaiting = Latch.makeUnsafe(false)
  let isEnded = false
  let awayUntil = Number.NEGATIVE_INFINITY

  const current = (client: string, now: number): Window | undefined => {
    const window = windows.get(client)
    return window !== undefined && window.endsAtMillis > now ? window : undefined
  }

  const remember = (client: string, window: Window): Window => {
    windows.delete(client)
    if (windows.size >= clientsMax) windows.delete(windows.keys().next().value!)
    windows.set(client, window)
    return window
  }

  const spent = (window: Window, weight: number, now: number): Spending => {
    const isAllowed = window.left >= weight
    if (isAllowed) window.left -= weight
    return { isAllowed, remaining: window.left, endsInMillis: window.endsAtMillis - now }
  }

  const alone = (client: string, weight: number, now: number): Spending => {
    const fresh = { left: limit.requests, endsAtMillis: now + limit.windowMillis }
    return spent(current(client, now) ?? remember(client, fresh), weight, now)
  }

  /** Whether a request may be made, which counts it. */
  const spend = (client: string, weight: number): Effect.Effect<Spending> =>
    Effect.clockWith((clock) => {
      const now = nowOf(clock)
      const known = current(client, now)
      if (isEnded || now < awayUntil || (known !== undefined && known.left < weight))
        return Effect.succeed(alone(client, weight, now))
      const answer = Deferred.makeUnsafe<Spending>()
      const asked = waiting.get(client)
      if (asked === undefined) waiting.set(client, [{ weight, answer }])
      else asked.push({ weight, answer })
      isWaiting.openUnsafe()
      return Deferred.await(answer)
    })

  const settle = (asked: ReadonlyMap<string, ReadonlyArray<Asked>>, all: ReadonlyArray<Lease>, now: number) => {
    const found = new Map(all.map((lease) => [lease.client, lease]))
    for (const [client, requests] of asked) {
      const lease = found.get(client)
      // What is granted is spent here in turn; the rest of the window is for whoever asks next.
      const granted = lease && { left: lease.granted, endsAtMillis: now + lease.endsInMillis }
      if (lease !== undefined) remember(client, { left: lease.left, endsAtMillis: now + lease.endsInMillis })
      for (const { answer, weight } of requests) {
        const spending = granted === undefined ? alone(client, weight, now) : spent(granted, weight, now)
        const remaining = spending.remaining + (lease?.left ?? 0)
        Deferred.doneUnsafe(answer, Effect.succeed({ ...spending, remaining }))
      }
    }
  }

  const round = Effect.clockWith((clock) => {
    const asked = new Map([...waiting].slice(0, CLIENTS_AT_ONCE))
    for (const client of asked.keys()) waiting.delete(client)
    if (waiting.size === 0) isWaiting.closeUnsafe()
    const requests = [...asked].map(([client, all]) => {
      const weights = all.map(({ weight }) => weight)
      const wanted = Math.min(
        limit.requests,
        weights.reduce((sum, weight) => sum + weight, 0),
      )
      return { client, needed: Math.min(...weights), wanted }
    })
    return leases.lease(requests).pipe(
      Effect.timeout(LEASE_MILLIS),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
        awayUntil = nowOf(clock) + AWAY_MILLIS
        const words = "The database counts no requests; rate limits are counted by this process alone"
        return Effect.as(Effect.logWarning(words, cause), [])
      }),
      Effect.map((all) => settle(asked, all, nowOf(clock))),
      Effect.onInterrupt(() => Effect.sync(() => settle(asked, [], nowOf(clock)))),
    )
  })

  // Requests may still be in flight when their server closes.
  yield* Effect.addFinalizer(() =>
    Effect.clockWith((clock) => {
      isEnded = true
      settle(waiting, [], nowOf(clock))
      return Effect.void
    }),
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(isWaiting.await, round)))
  yield* Effect.forkScoped(regularly("Sweeping rate limit windows", SWEEP_MILLIS, leases.sweep))
  return { spend }
})
