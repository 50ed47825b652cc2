import { Clock, Effect, Fiber, Metric, Option } from "effect"
import { BackendFailed, type IpfsBackend } from "./IpfsBackend.ts"

/** Backoff after a failure, doubled up to the maximum: uploads that can be stored elsewhere do not wait for the backend. */
const BACKOFF_MILLIS = 5_000
const BACKOFF_MILLIS_MAX = 60_000
/** The longest Retry-After that is honoured. */
const ASKED_MILLIS_MAX = 600_000
/** So many uploads in a row that fail without a permanent fault are an outage, even if probes are answered. */
const DOUBTS_MAX = 5

const answers = Metric.counter("ipfs_backend_answers", {
  description: "Answers of IPFS backends to uploads and probes, by backend and outcome",
  incremental: true,
})

/** What this process last saw of a backend. */
export interface BackendState {
  readonly status: "up" | "down" | "unknown"
  readonly lastSuccessAt: Option.Option<Date>
  /** The last failure of the backend; refusals of single uploads are none. */
  readonly lastFailure: Option.Option<{ readonly at: Date; readonly reason: string; readonly isPermanent: boolean }>
}

/** Why a backend is not asked, and until when. */
export interface Pause {
  readonly reason: string
  readonly untilMillis: number
}

/** A backend whose answers are remembered, counted, and logged when they change. */
export interface MonitoredBackend extends IpfsBackend {
  /** A put that fails after `millis`; its verdict on the backend is not awaited. */
  readonly putWithin: (millis: number, ...content: Parameters<IpfsBackend["put"]>) => ReturnType<IpfsBackend["put"]>
  readonly state: Effect.Effect<BackendState>
  /** In backoff, or being probed: uploads that can be stored elsewhere need not wait for it. */
  readonly pause: Effect.Effect<Option.Option<Pause>>
  /** Its Retry-After, while it lasts. */
  readonly askedPause: Effect.Effect<Option.Option<Pause>>
  readonly putsUnderWay: Effect.Effect<number>
}

/** `isStart`: it answers for the first time; otherwise an outage that began at `sinceMillis` is over. */
export type BackendReturn = { readonly isStart: boolean; readonly sinceMillis: number }

/**
 * A refused upload is no outage. After a failure that may be either, a probe decides.
 */
export const monitored = Effect.fnUntraced(function* (
  backend: IpfsBackend,
  onReturn: (edge: BackendReturn) => Effect.Effect<void>,
) {
  const scope = yield* Effect.scope
  let putsUnderWay = 0
  let state: BackendState = { status: "unknown", lastSuccessAt: Option.none(), lastFailure: Option.none() }
  let downSinceMillis = 0
  /** Backoffs in a row. */
  let backoffs = 0
  let backoffUntilMillis = 0
  let askedUntilMillis = 0
  /** Uploads that failed since the last success, perhaps because of the backend. */
  const doubtful = new Set<string>()
  let verdict: Fiber.Fiber<boolean> | undefined

  const count = (outcome: string) =>
    Metric.update(Metric.withAttributes(answers, { backend: backend.name, outcome }), 1)

  const succeeded = Effect.fnUntraced(function* (isPut: boolean) {
    yield* count("success")
    if (isPut) doubtful.clear()
    // Probes were answered during such an outage as well.
    else if (state.status === "down" && doubtful.size >= DOUBTS_MAX) return
    const before = state
    state = { ...state, status: "up", lastSuccessAt: Option.some(new Date(yield* Clock.currentTimeMillis)) }
    backoffs = 0
    backoffUntilMillis = 0
    askedUntilMillis = 0
    if (before.status === "up") return
    if (before.status === "down") yield* Effect.logInfo(`IPFS backend ${backend.name} accepts uploads again`)
    yield* onReturn({ isStart: Option.isNone(before.lastSuccessAt), sinceMillis: downSinceMillis })
  })

  const failed = Effect.fnUntraced(function* (
    { isPermanent, reason, retryAfterMillis = 0 }: BackendFailed,
    beganMillis: number,
  ) {
    const { lastFailure, status: before } = state
    const at = yield* Clock.currentTimeMillis
    state = { ...state, status: "down", lastFailure: Option.some({ at: new Date(at), reason, isPermanent }) }
    if (before !== "down") downSinceMillis = at
    // A request that began before the backoff was over is part of the same failure.
    if (before !== "down" || beganMillis >= backoffUntilMillis) {
      backoffUntilMillis = at + Math.min(BACKOFF_MILLIS * 2 ** backoffs, BACKOFF_MILLIS_MAX)
      backoffs = Math.min(backoffs + 1, 10)
    }
    if (retryAfterMillis > 0)
      askedUntilMillis = Math.max(askedUntilMillis, at + Math.min(retryAfterMillis, ASKED_MILLIS_MAX))
    backoffUntilMillis = Math.max(backoffUntilMillis, askedUntilMillis)
    const isNews = before !== "down" || Option.exists(lastFailure, (last) => last.reason !== reason)
    if (isNews) yield* Effect.logWarning(`IPFS backend ${backend.name} is down: ${reason}`)
  })

  const probe = Effect.gen(function* () {
    const beganMillis = yield* Clock.currentTimeMillis
    yield* backend.probe.pipe(
      Effect.tap(() => succeeded(false)),
      Effect.tapError((fault) => Effect.andThen(count("failure"), failed(fault, beganMillis))),
    )
  })

  /** Records a failed put. Whether the backend is down may be known only later, from `verdict`. */
  const putFailed = Effect.fnUntraced(function* (fault: BackendFailed, cid: string, beganMillis: number) {
    yield* count(fault.scope === "upload" ? "refusal" : "failure")
    if (fault.scope === "upload") return
    const isDoubtful = !fault.isPermanent && fault.retryAfterMillis === undefined
    // That many make an outage: further ones need not be remembered.
    if (isDoubtful && doubtful.size < DOUBTS_MAX) doubtful.add(cid)
    if (!isDoubtful || state.status !== "up" || doubtful.size >= DOUBTS_MAX) return yield* failed(fault, beganMillis)
    verdict ??= yield* probe.pipe(
      Effect.match({ onFailure: () => false, onSuccess: () => true }),
      Effect.ensuring(Effect.sync(() => void (verdict = undefined))),
      Effect.forkIn(scope),
    )
  })

  const counted: IpfsBackend["put"] = Effect.fnUntraced(function* (dag, info) {
    const beganMillis = yield* Clock.currentTimeMillis
    const once = backend.put(dag, info).pipe(
      Effect.tap(() => succeeded(true)),
      Effect.tapError((fault) => putFailed(fault, dag.root.toString(), beganMillis)),
    )
    const addUnderWay = (more: number) => Effect.sync(() => void (putsUnderWay += more))
    yield* Effect.acquireUseRelease(
      addUnderWay(1),
      () => once,
      () => addUnderWay(-1),
    )
  })

  const put: IpfsBackend["put"] = (dag, info) =>
    Effect.tapError(counted(dag, info), () =>
      Effect.suspend(() => (verdict === undefined ? Effect.void : Fiber.await(verdict))),
    )

  const putWithin: MonitoredBackend["putWithin"] = Effect.fnUntraced(function* (millis, dag, info) {
    const beganMillis = yield* Clock.currentTimeMillis
    const late = new BackendFailed({
      backend: backend.name,
      reason: `${backend.name} did not answer in time`,
      isPermanent: false,
      scope: "backend",
    })
    const orElse = () => Effect.andThen(putFailed(late, dag.root.toString(), beganMillis), Effect.fail(late))
    yield* Effect.timeoutOrElse(counted(dag, info), { duration: millis, orElse })
  })

  const reason = () =>
    Option.match(state.lastFailure, { onNone: () => `${backend.name} is down`, onSome: (failure) => failure.reason })

  const pause = Effect.map(Clock.currentTimeMillis, (now): Option.Option<Pause> => {
    if (now < backoffUntilMillis) return Option.some({ reason: reason(), untilMillis: backoffUntilMillis })
    const isTried = state.status === "down" && putsUnderWay > 0
    return isTried ? Option.some({ reason: reason(), untilMillis: now + BACKOFF_MILLIS }) : Option.none()
  })

  const askedPause = Effect.map(Clock.currentTimeMillis, (now) =>
    now < askedUntilMillis ? Option.some<Pause>({ reason: reason(), untilMillis: askedUntilMillis }) : Option.none(),
  )

  return {
    name: backend.name,
    destination: backend.destination,
    put,
    putWithin,
    probe,
    state: Effect.sync(() => state),
    pause,
    askedPause,
    putsUnderWay: Effect.sync(() => putsUnderWay),
  } satisfies MonitoredBackend
})
