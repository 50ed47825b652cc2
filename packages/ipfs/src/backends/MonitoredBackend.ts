import { Clock, Effect, Metric, Option } from "effect"
import { BackendFailed, type IpfsBackend } from "./IpfsBackend.ts"

/** Backoff after a failure, doubled up to the maximum: uploads that can be stored elsewhere do not wait for the backend. */
const BACKOFF_MILLIS = 5_000
const BACKOFF_MILLIS_MAX = 60_000
/** The longest Retry-After that is honoured. */
const ASKED_MILLIS_MAX = 600_000

const answers = Metric.counter("ipfs_backend_answers", {
  description: "Answers of IPFS backends to uploads and probes, by backend and outcome",
  incremental: true,
})

/** What this process last saw of a backend. */
export interface BackendState {
  readonly status: "up" | "down" | "unknown"
  readonly lastSuccessAt: Date | null
  /** The last failure of the backend; refusals of single uploads are none. */
  readonly lastFailureAt: Date | null
  readonly lastFailure: string | null
}

/** Why a backend is not asked, and for how long. */
export interface Pause {
  readonly reason: string
  readonly millis: number
}

/** A backend whose answers are remembered, counted, and logged when they change. A refused upload is no outage. */
export const monitored = (backend: IpfsBackend) => {
  const { destination, name } = backend
  let state: BackendState = { status: "unknown", lastSuccessAt: null, lastFailureAt: null, lastFailure: null }
  let putsUnderWay = 0
  /** Backoffs in a row. */
  let backoffs = 0
  let backoffUntilMillis = 0
  let askedUntilMillis = 0

  const succeeded = Effect.fnUntraced(function* () {
    const { status } = state
    state = { ...state, status: "up", lastSuccessAt: new Date(yield* Clock.currentTimeMillis) }
    backoffs = 0
    backoffUntilMillis = 0
    askedUntilMillis = 0
    if (status === "down") yield* Effect.logInfo(`IPFS backend ${name} accepts uploads again`)
  })

  const failed = Effect.fnUntraced(function* ({ reason, retryAfterMillis = 0 }: BackendFailed, beganMillis: number) {
    const before = state
    const at = yield* Clock.currentTimeMillis
    state = { ...state, status: "down", lastFailureAt: new Date(at), lastFailure: reason }
    // A request that began before the backoff was over is part of the same failure.
    if (before.status !== "down" || beganMillis >= backoffUntilMillis) {
      backoffUntilMillis = at + Math.min(BACKOFF_MILLIS * 2 ** backoffs, BACKOFF_MILLIS_MAX)
      backoffs = Math.min(backoffs + 1, 10)
    }
    if (retryAfterMillis > 0)
      askedUntilMillis = Math.max(askedUntilMillis, at + Math.min(retryAfterMillis, ASKED_MILLIS_MAX))
    backoffUntilMillis = Math.max(backoffUntilMillis, askedUntilMillis)
    if (before.status !== "down" || before.lastFailure !== reason)
      yield* Effect.logWarning(`IPFS backend ${name} is down: ${reason}`)
  })

  /** A request, whose outcome is remembered; it fails after `millis`. */
  const observed = Effect.fnUntraced(function* (request: Effect.Effect<void, BackendFailed>, millis = Infinity) {
    const beganMillis = yield* Clock.currentTimeMillis
    const count = (outcome: string) => Metric.update(Metric.withAttributes(answers, { backend: name, outcome }), 1)
    const late = new BackendFailed({
      ...{ backend: name, reason: `${name} did not answer in time`, isPermanent: false, scope: "backend" },
    })
    yield* Effect.timeoutOrElse(request, { duration: millis, orElse: () => Effect.fail(late) }).pipe(
      Effect.tap(() => Effect.andThen(count("success"), succeeded())),
      Effect.tapError((fault) =>
        fault.scope === "upload" ? count("refusal") : Effect.andThen(count("failure"), failed(fault, beganMillis)),
      ),
    )
  })

  const pauseUntil = (untilMillis: number) =>
    Effect.map(Clock.currentTimeMillis, (now): Option.Option<Pause> => {
      const reason = state.lastFailure ?? `${name} is down`
      return now < untilMillis ? Option.some({ reason, millis: untilMillis - now }) : Option.none()
    })

  return {
    name,
    destination,
    put: (dag: Parameters<IpfsBackend["put"]>[0], info: Parameters<IpfsBackend["put"]>[1], millis?: number) =>
      Effect.acquireUseRelease(
        Effect.sync(() => putsUnderWay++),
        () => observed(backend.put(dag, info), millis),
        () => Effect.sync(() => putsUnderWay--),
      ),
    /** A probe that fails is always about the backend. */
    probe: observed(Effect.mapError(backend.probe, (fault) => new BackendFailed({ ...fault, scope: "backend" }))),
    state: Effect.sync(() => state),
    /** In backoff, or down and being tried by another: uploads that can be stored elsewhere need not wait for it. */
    pause: Effect.suspend(() =>
      state.status === "down" && putsUnderWay > 0
        ? Effect.map(Clock.currentTimeMillis, (now) => Math.max(backoffUntilMillis, now + BACKOFF_MILLIS))
        : Effect.succeed(backoffUntilMillis),
    ).pipe(Effect.flatMap(pauseUntil)),
    /** Its Retry-After, while it lasts. */
    askedPause: Effect.suspend(() => pauseUntil(askedUntilMillis)),
    putsUnderWay: Effect.sync(() => putsUnderWay),
  }
}

export type MonitoredBackend = ReturnType<typeof monitored>
