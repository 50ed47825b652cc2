import { Clock, Effect, Metric, Option } from "effect"
import { BackendFailed, type IpfsBackend } from "./IpfsBackend.ts"

/** After a failure, uploads that can be kept elsewhere do not wait for the backend for this long; it doubles up to the most. */
const REST_MILLIS = 5_000
const REST_MILLIS_MAX = 60_000

const answers = Metric.counter("ipfs_backend_answers", {
  description: "Answers of IPFS backends to uploads and probes, by backend and outcome",
  incremental: true,
})

/** What this process last saw of a backend. */
export interface BackendState {
  readonly status: "up" | "down" | "unknown"
  readonly lastSuccessAt: Option.Option<Date>
  readonly lastFailure: Option.Option<{ readonly at: Date; readonly reason: string; readonly isPermanent: boolean }>
}

/** A backend whose answers are remembered, counted, and logged when they change. */
export interface MonitoredBackend extends IpfsBackend {
  /** An attempt that fails when it takes longer than `millis`. */
  readonly putWithin: (millis: number, ...content: Parameters<IpfsBackend["put"]>) => ReturnType<IpfsBackend["put"]>
  readonly state: Effect.Effect<BackendState>
  /** It failed a moment ago: who has another place need not wait for it. */
  readonly isResting: Effect.Effect<boolean>
}

/** `onReturn` runs when the backend answers for the first time (`isStart`), and again after every outage. */
export const monitored = (
  backend: IpfsBackend,
  onReturn: (isStart: boolean) => Effect.Effect<void>,
): MonitoredBackend => {
  let state: BackendState = { status: "unknown", lastSuccessAt: Option.none(), lastFailure: Option.none() }
  let failures = 0
  let restUntilMillis = 0

  const count = (outcome: string) =>
    Metric.update(Metric.withAttributes(answers, { backend: backend.name, outcome }), 1)

  const succeeded = Effect.gen(function* () {
    const before = state
    state = { ...state, status: "up", lastSuccessAt: Option.some(new Date(yield* Clock.currentTimeMillis)) }
    failures = 0
    restUntilMillis = 0
    yield* count("success")
    if (before.status === "up") return
    if (before.status === "down") yield* Effect.logInfo(`IPFS backend ${backend.name} takes uploads again`)
    yield* onReturn(Option.isNone(before.lastSuccessAt))
  })

  const failed = Effect.fnUntraced(function* ({ isPermanent, reason, retryAfterMillis }: BackendFailed) {
    const before = state.status
    const at = yield* Clock.currentTimeMillis
    state = { ...state, status: "down", lastFailure: Option.some({ at: new Date(at), reason, isPermanent }) }
    const rest = Math.min(REST_MILLIS * 2 ** failures, REST_MILLIS_MAX)
    failures = Math.min(failures + 1, 10)
    restUntilMillis = at + Math.min(Math.max(rest, retryAfterMillis ?? 0), REST_MILLIS_MAX)
    yield* count("failure")
    if (before !== "down") yield* Effect.logWarning(`IPFS backend ${backend.name} is away: ${reason}`)
  })

  const late = new BackendFailed({
    backend: backend.name,
    reason: `${backend.name} did not answer in time`,
    isPermanent: false,
  })

  const watched = <A>(request: Effect.Effect<A, BackendFailed>) =>
    request.pipe(
      Effect.tap(() => succeeded),
      Effect.tapError(failed),
    )

  return {
    name: backend.name,
    put: (dag, info) => watched(backend.put(dag, info)),
    putWithin: (millis, dag, info) =>
      watched(Effect.timeoutOrElse(backend.put(dag, info), { duration: millis, orElse: () => Effect.fail(late) })),
    probe: watched(backend.probe),
    state: Effect.sync(() => state),
    isResting: Effect.map(Clock.currentTimeMillis, (now) => now < restUntilMillis),
  }
}
