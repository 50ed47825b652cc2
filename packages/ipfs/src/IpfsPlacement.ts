import { IpfsUnavailable } from "@launch-registry/domain/ipfs/IpfsErrors"
import type { IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Clock, Context, Effect, Layer, Option, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { FileDag } from "./Dag.ts"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "./IpfsBackend.ts"
import { IpfsContent, type StoredContent, type UploadInfo } from "./IpfsContent.ts"
import { IpfsDeliveries } from "./IpfsDeliveries.ts"
import { type MonitoredBackend, monitored, type Pause } from "./MonitoredBackend.ts"
import { placementHealth, placementReport } from "./PlacementReport.ts"

export type BackendName = "embedded" | RemoteBackendName

/** Attempts while the caller waits, for everything; well below the time that requests have when the process stops. */
const DEADLINE_MILLIS = 7_000
/** The same when nothing is kept here: an attempt that is given up has nobody to go on with it. */
const ONLY_CHANCE_MILLIS = 15_000
/** Attempts at one backend, a short pause apart, when the failure came fast and may pass. */
const ATTEMPTS_MAX = 3
const RETRY_WITHIN_MILLIS = 5_000
/** Less is no attempt. */
const ATTEMPT_MILLIS_MIN = 500
/** Callers of uploads that are kept who wait for one backend at the same time: each holds a whole file in memory. */
const WAITING_MAX = 4
/** Faults that pass only when somebody changes something. */
const PERMANENT_RETRY_SECONDS = 300
const RETRY_SECONDS_MAX = 600

/** Content and the backend that answers for it. */
export interface PlacedContent extends StoredContent {
  readonly backend: BackendName
}

/**
 * Puts content where it belongs, by an order of backends.
 *
 * With `embedded` in the order, content is first of all kept here, durably. Backends before it are asked in turn while the
 * caller waits: the first is where content belongs, the others stand in for it, and what the first does not take it gets from
 * the outbox later. Backends after it get their copy from the outbox. Without `embedded` nothing is kept here: an upload that
 * no backend takes is refused, and what a backend took before is handed to it again, as nobody else has it.
 */
export class IpfsPlacement extends Context.Service<
  IpfsPlacement,
  {
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<PlacedContent, IpfsUnavailable>
    readonly report: Effect.Effect<IpfsReport>
    /** The same for those who look at the whole service; never fails, never asks a backend. */
    readonly health: Effect.Effect<PartHealth>
    /** The backends outside, watched: for whoever empties the outbox. */
    readonly remotes: ReadonlyArray<MonitoredBackend>
    /** Of these, the backends that are to have all that is kept here. */
    readonly owed: ReadonlyArray<MonitoredBackend>
  }
>()("@launch-registry/ipfs/IpfsPlacement") {
  static readonly layer = (options: {
    readonly order: ReadonlyArray<BackendName>
    /** The backends that the order names, but for `embedded`. */
    readonly backends: ReadonlyArray<IpfsBackend>
  }) =>
    Layer.effect(
      IpfsPlacement,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const content = yield* IpfsContent
        const deliveries = yield* IpfsDeliveries
        const remotes = yield* Effect.forEach(options.backends, (backend) =>
          monitored(backend, (edge) => deliveries.hasten(backend, edge)),
        )
        const room = new Map(remotes.map(({ name }) => [name, Semaphore.makeUnsafe(WAITING_MAX)]))
        const remote = (name: BackendName) => remotes.filter((backend) => backend.name === name)
        const keptAt = options.order.indexOf("embedded")
        const isKept = keptAt >= 0
        const asked = (isKept ? options.order.slice(0, keptAt) : options.order).flatMap(remote)
        const copied = isKept ? options.order.slice(keptAt + 1).flatMap(remote) : []

        /** Keeps content here, and notes in the same transaction who is to get it. Whether the first is ours to ask. */
        const keep = (dag: FileDag, info: UploadInfo) =>
          Effect.gen(function* () {
            const stored = yield* content.store(dag, info)
            const claimed = yield* Effect.forEach(asked.slice(0, 1), (first) => deliveries.add(stored, first, true))
            for (const backend of copied) yield* deliveries.add(stored, backend, false)
            return claimed.includes(true)
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

        const attempt = Effect.fnUntraced(function* (backend: MonitoredBackend, upload: Upload, untilMillis: number) {
          const beganMillis = yield* Clock.currentTimeMillis
          const once = Effect.flatMap(Clock.currentTimeMillis, (now) =>
            backend.putWithin(Math.max(untilMillis - now, 0), upload.dag, upload.info),
          )
          const mayPass = ({ isPermanent, retryAfterMillis }: BackendFailed) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const hasTime = now - beganMillis < RETRY_WITHIN_MILLIS && untilMillis - now > 2 * ATTEMPT_MILLIS_MIN
              return !isPermanent && retryAfterMillis === undefined && hasTime
            })
          const schedule = Schedule.jittered(Schedule.exponential(200))
          return yield* Effect.retry(once, { times: ATTEMPTS_MAX - 1, schedule, while: mayPass })
        })

        /** Hands an upload over while the caller waits, unless that would be for nothing and there is another place. */
        const offer = Effect.fnUntraced(function* (upload: Upload, place: number, backend: MonitoredBackend) {
          const { cid, untilMillis } = upload
          const isOutboxed = isKept && place === 0
          const giveBack = (pause?: Pause) => (isOutboxed ? deliveries.release(cid, backend, pause) : Effect.void)
          const hasOther = isKept || place < asked.length - 1
          const now = yield* Clock.currentTimeMillis
          // The others get their part of the time.
          const millis = (untilMillis - now) / (asked.length - place)
          if (hasOther && millis < ATTEMPT_MILLIS_MIN) {
            yield* giveBack()
            return yield* notAsked(backend, "there was no time left for it")
          }
          const pause = yield* hasOther ? backend.pause : backend.askedPause
          if (Option.isSome(pause)) {
            yield* giveBack(pause.value)
            return yield* notAsked(backend, pause.value.reason, pause.value.untilMillis - now)
          }
          const attempted = attempt(backend, upload, now + millis).pipe(
            Effect.tapError((fault) => (isOutboxed ? deliveries.postpone(cid, backend, fault) : Effect.void)),
          )
          if (!isKept) return yield* attempted
          const outcome = yield* Semaphore.withPermitsIfAvailable(room.get(backend.name)!, 1)(attempted)
          if (Option.isSome(outcome)) return
          yield* giveBack()
          return yield* notAsked(backend, "others are handing uploads to it")
        })

        const store = Effect.fn("IpfsPlacement.store")(function* (dag: FileDag, info: UploadInfo) {
          const placed = { cid: dag.root.toString(), contentType: info.contentType, sizeBytes: dag.sizeBytes }
          const deadlineMillis = isKept ? DEADLINE_MILLIS : ONLY_CHANCE_MILLIS
          const untilMillis = (yield* Clock.currentTimeMillis) + deadlineMillis
          const upload = { cid: placed.cid, dag, info, untilMillis }
          const isClaimed = isKept && (yield* keep(dag, info))
          const faults: Array<BackendFailed> = []
          const place = Effect.gen(function* () {
            for (const [at, backend] of asked.entries()) {
              if (isKept && (yield* deliveries.isDelivered(placed.cid, backend))) return backend.name
              const taken = yield* Effect.result(offer(upload, at, backend))
              if (taken._tag === "Failure") {
                faults.push(taken.failure)
                continue
              }
              yield* deliveries.confirm(placed, backend)
              return backend.name
            }
            if (isKept) return "embedded" as const
            return yield* unavailable(faults[0])
          })
          // Nobody waits any more: the outbox goes on at once.
          const letGo = isClaimed ? deliveries.release(placed.cid, asked[0]!) : Effect.void
          return { ...placed, backend: yield* Effect.onInterrupt(place, () => letGo) }
        })

        const parts = { order: options.order, isKept, remotes, content, deliveries }
        const report = placementReport(parts)
        const health = placementHealth(parts, report)
        const owed = [...(isKept ? asked.slice(0, 1) : []), ...copied]
        return IpfsPlacement.of({ store, report, health, remotes, owed })
      }),
    )
}

/** An upload whose caller waits. */
interface Upload {
  readonly cid: string
  readonly dag: FileDag
  readonly info: UploadInfo
  readonly untilMillis: number
}

const notAsked = ({ name: backend }: MonitoredBackend, reason: string, retryAfterMillis?: number) =>
  new BackendFailed({
    backend,
    reason,
    isPermanent: false,
    scope: "backend",
    ...(retryAfterMillis !== undefined && { retryAfterMillis }),
  })

const unavailable = (fault: BackendFailed | undefined) => {
  if (fault === undefined) return new IpfsUnavailable({ reason: "no backend is configured" })
  const { isPermanent, reason, retryAfterMillis } = fault
  if (isPermanent) return new IpfsUnavailable({ reason, retryAfterSeconds: PERMANENT_RETRY_SECONDS })
  if (retryAfterMillis === undefined) return new IpfsUnavailable({ reason })
  const retryAfterSeconds = Math.min(Math.ceil(retryAfterMillis / 1000), RETRY_SECONDS_MAX)
  return new IpfsUnavailable({ reason, retryAfterSeconds })
}
