import { Clock, Duration, Effect, Layer } from "effect"

const TICK_MILLIS = 2
/** Maximum length of a tick, however late it fires. */
const STEP_MILLIS_MAX = 8
const NANOS_PER_MILLI = 1_000_000

interface Waiting {
  readonly dueAt: number
  readonly wake: () => void
}

let now = 0
let tickedAt = performance.now()
const waiting = new Set<Waiting>()

const tick = () => {
  const at = performance.now()
  now += Math.min(at - tickedAt, STEP_MILLIS_MAX)
  tickedAt = at
  const due = [...waiting].filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)
  for (const one of due) if (waiting.delete(one)) one.wake()
}
setInterval(tick, TICK_MILLIS).unref()

/** Milliseconds of this clock. */
export const unstalledMillis = (): number => now

/** `setTimeout` by this clock; returns what cancels it. */
export const afterUnstalled = (millis: number, wake: () => void): (() => void) => {
  const one = { dueAt: now + millis, wake }
  waiting.add(one)
  return () => void waiting.delete(one)
}

// Verification of a connection's cluster is bounded by one of these.
AbortSignal.timeout = (millis) => {
  const controller = new AbortController()
  afterUnstalled(millis, () =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
  )
  return controller.signal
}

const STARTED_AT = Date.now()
const nanosOf = (millis: number) => BigInt(Math.round(millis * NANOS_PER_MILLI))
const timeMillis = () => Math.floor(STARTED_AT + now)
const timeNanos = () => nanosOf(STARTED_AT + now)
const monotonicNanos = () => nanosOf(now)

const clock: Clock.Clock = {
  currentTimeMillisUnsafe: timeMillis,
  currentTimeMillis: Effect.sync(timeMillis),
  currentTimeNanosUnsafe: timeNanos,
  currentTimeNanos: Effect.sync(timeNanos),
  monotonicTimeNanosUnsafe: monotonicNanos,
  monotonicTimeNanos: Effect.sync(monotonicNanos),
  sleep: (duration) => {
    const millis = Duration.toMillis(duration)
    return millis <= 0
      ? Effect.yieldNow
      : Effect.callback((resume) => Effect.sync(afterUnstalled(millis, () => resume(Effect.void))))
  },
}

/**
 * Real time that stops while this process does not run. When one process holds both ends of a connection, a deadline passes
 * only because an end is slow, never because a busy machine did not schedule the process: between two ticks, all pending
 * input is read.
 */
export const unstalledClock = Layer.succeed(Clock.Clock, clock)
