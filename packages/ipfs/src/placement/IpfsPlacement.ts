import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { type UploadRefused } from "@launch-registry/domain/ipfs/IpfsErrors"
import type { IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Clock, Context, Effect, Layer, Option, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "../backends/IpfsBackend.ts"
import { type MonitoredBackend, monitored } from "../backends/MonitoredBackend.ts"
import type { FileDag } from "../content/Dag.ts"
import { IpfsContent, type StoredContent, type UploadInfo } from "../content/IpfsContent.ts"
import { ipfsDeliveries } from "./IpfsDeliveries.ts"
import { placementHealth, placementReport } from "./PlacementReport.ts"
import { uploadCaps } from "./UploadCaps.ts"

export type BackendName = "embedded" | RemoteBackendName

/** For all attempts while the caller waits; well below the grace period of a shutdown. */
const DEADLINE_MILLIS = 7_000
/** The same without the embedded store: no outbox would retry later. */
const ONLY_CHANCE_MILLIS = 15_000
/** Attempts at one backend with a short backoff, if it failed fast and not permanently. */
const ATTEMPTS_MAX = 3
/** An attempt needs at least this. */
const ATTEMPT_MILLIS_MIN = 500
/** Stored uploads that may wait for one backend: each holds a whole file in memory. */
const WAITING_MAX = 4
/** `Retry-After` for permanent faults. */
const PERMANENT_RETRY_SECONDS = 300
const RETRY_SECONDS_MAX = 600

/** Content and the backend that confirmed it. */
export interface PlacedContent extends StoredContent {
  readonly backend: BackendName
}

/**
 * Stores content in backends, in the configured order.
 *
 * With `embedded` in the order, content is stored durably in the database first. Backends before it are tried in turn while the
 * caller waits: the first is the primary, the others are fallbacks, and the outbox delivers to the primary later if it failed.
 * Backends after it get their copy from the outbox. Without `embedded` nothing is stored here: an upload that no backend accepts
 * is refused, and content is sent again even if a backend confirmed it before, because there is no other copy.
 */
export class IpfsPlacement extends Context.Service<
  IpfsPlacement,
  {
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<PlacedContent, Unavailable | UploadRefused>
    readonly report: Effect.Effect<IpfsReport>
    /** For the health of the whole service; never fails and never calls a backend. */
    readonly health: Effect.Effect<PartHealth>
    /** The remote backends, for the outbox. */
    readonly remotes: ReadonlyArray<MonitoredBackend>
    /** The remote backends that must have all stored content. */
    readonly owed: ReadonlyArray<MonitoredBackend>
  }
>()("@launch-registry/ipfs/placement/IpfsPlacement") {
  static readonly layer = (options: {
    readonly order: ReadonlyArray<BackendName>
    /** The remote backends that the order names. */
    readonly backends: ReadonlyArray<IpfsBackend>
  }) =>
    Layer.effect(
      IpfsPlacement,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const content = yield* IpfsContent
        const deliveries = yield* ipfsDeliveries
        const caps = yield* uploadCaps
        const remotes = options.backends.map(monitored)
        const waiting = new Map(remotes.map(({ name }) => [name, Semaphore.makeUnsafe(WAITING_MAX)]))
        const remote = (name: BackendName) => remotes.filter((backend) => backend.name === name)
        const embeddedAt = options.order.indexOf("embedded")
        const isStored = embeddedAt >= 0
        const foreground = (isStored ? options.order.slice(0, embeddedAt) : options.order).flatMap(remote)
        const background = isStored ? options.order.slice(embeddedAt + 1).flatMap(remote) : []
        const [primary] = foreground

        /** Stores content and its outbox rows in one transaction. That of the primary is due once the caller no longer waits. */
        const storeWithOutbox = (dag: FileDag, info: UploadInfo) =>
          Effect.gen(function* () {
            const stored = yield* content.store(dag, info)
            if (primary !== undefined) yield* deliveries.add(stored, primary, DEADLINE_MILLIS)
            for (const backend of background) yield* deliveries.add(stored, backend, 0)
            return stored
          }).pipe(caps.counting, sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

        /** Without the embedded store an upload is counted before it is sent. */
        const countAlone = caps.counting(Effect.succeed({ isNew: false })).pipe(Effect.catchTag("SqlError", Effect.die))

        /** Tries a backend, and once more if it fails fast and may recover. */
        const attempt = ({ dag, info }: Upload, backend: MonitoredBackend, untilMillis: number) => {
          const left = Effect.map(Clock.currentTimeMillis, (now) => Math.max(untilMillis - now, 0))
          return Effect.retry(
            Effect.flatMap(left, (millis) => backend.put(dag, info, millis)),
            {
              times: ATTEMPTS_MAX - 1,
              schedule: Schedule.jittered(Schedule.exponential(200)),
              while: ({ isPermanent, retryAfterMillis }) =>
                Effect.map(
                  left,
                  (millis) => !isPermanent && retryAfterMillis === undefined && millis > 2 * ATTEMPT_MILLIS_MIN,
                ),
            },
          )
        }

        /** Tries a backend while the caller waits, unless it is unlikely to work and there is another copy. */
        const tryBackend = Effect.fnUntraced(function* (upload: Upload, place: number, backend: MonitoredBackend) {
          const hasOther = isStored || place < foreground.length - 1
          const pause = yield* hasOther ? backend.pause : backend.askedPause
          if (Option.isSome(pause)) return yield* skipped(backend, pause.value.reason, pause.value.millis)
          // The remaining backends share the time.
          const now = yield* Clock.currentTimeMillis
          const untilMillis = now + (upload.untilMillis - now) / (foreground.length - place)
          const attempted = attempt(upload, backend, untilMillis)
          if (!isStored) return yield* attempted
          const outcome = yield* Semaphore.withPermitsIfAvailable(waiting.get(backend.name)!, 1)(attempted)
          if (Option.isNone(outcome)) return yield* skipped(backend, "too many uploads wait for it")
        })

        const store = Effect.fn("IpfsPlacement.store")(function* (dag: FileDag, info: UploadInfo) {
          const placed = { cid: dag.root.toString(), contentType: info.contentType, sizeBytes: dag.sizeBytes }
          yield* isStored ? storeWithOutbox(dag, info) : countAlone
          const untilMillis = (yield* Clock.currentTimeMillis) + (isStored ? DEADLINE_MILLIS : ONLY_CHANCE_MILLIS)
          let fault: BackendFailed | undefined
          for (const [place, backend] of foreground.entries()) {
            if (isStored && (yield* deliveries.isDelivered(placed.cid, backend)))
              return { ...placed, backend: backend.name }
            const outcome = yield* Effect.result(tryBackend({ dag, info, untilMillis }, place, backend))
            if (outcome._tag === "Failure") {
              fault ??= outcome.failure
              continue
            }
            yield* deliveries.confirm(placed, backend)
            return { ...placed, backend: backend.name }
          }
          if (isStored) return { ...placed, backend: "embedded" as const }
          return yield* unavailable(fault)
        })

        const parts = { order: options.order, isStored, remotes, content, deliveries }
        const report = placementReport(parts)
        const health = placementHealth(parts, report)
        const owed = isStored ? [...foreground.slice(0, 1), ...background] : []
        return IpfsPlacement.of({ store, report, health, remotes, owed })
      }),
    )
}

/** An upload whose caller waits. */
interface Upload {
  readonly dag: FileDag
  readonly info: UploadInfo
  readonly untilMillis: number
}

const skipped = ({ name: backend }: MonitoredBackend, reason: string, retryAfterMillis?: number) =>
  new BackendFailed({
    ...{ backend, reason, isPermanent: false, scope: "backend" },
    ...(retryAfterMillis !== undefined && { retryAfterMillis }),
  })

const unavailable = (fault: BackendFailed | undefined) => {
  const { isPermanent = false, reason = "no backend is configured", retryAfterMillis } = fault ?? {}
  if (isPermanent) return new Unavailable({ service: "ipfs", reason, retryAfterSeconds: PERMANENT_RETRY_SECONDS })
  if (retryAfterMillis === undefined) return new Unavailable({ service: "ipfs", reason })
  const retryAfterSeconds = Math.min(Math.ceil(retryAfterMillis / 1000), RETRY_SECONDS_MAX)
  return new Unavailable({ service: "ipfs", reason, retryAfterSeconds })
}
