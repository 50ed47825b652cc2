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
/** Attempts with a short backoff, if they fail fast and not permanently, while there is at least so much time. */
const ATTEMPTS_MAX = 3
const RETRY_MILLIS_MIN = 1_000
/** Stored uploads that may wait for the backend: each holds a whole file in memory. */
const WAITING_MAX = 4
/** `Retry-After` for permanent faults. */
const PERMANENT_RETRY_SECONDS = 300
const RETRY_SECONDS_MAX = 600

/** Content and the backend that confirmed it. */
export interface PlacedContent extends StoredContent {
  readonly backend: BackendName
}

/**
 * Stores content in the database (`embedded`), at a remote backend, or in both, in the configured order.
 *
 * With `embedded`, content is stored durably in the database first. A backend before it is tried while the caller waits, and gets
 * the upload from the outbox if it failed; one after it gets its copy from the outbox. Without `embedded` nothing is stored here:
 * an upload that the backend does not take is refused, and content is sent again even if it was confirmed before, because there is
 * no other copy.
 */
export class IpfsPlacement extends Context.Service<
  IpfsPlacement,
  {
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<PlacedContent, Unavailable | UploadRefused>
    readonly report: Effect.Effect<IpfsReport>
    /** For the health of the whole service; never fails and never calls a backend. */
    readonly health: Effect.Effect<PartHealth>
    /** The remote backend, and whether it must have all that is stored. */
    readonly remote: MonitoredBackend | undefined
    readonly isStored: boolean
  }
>()("@launch-registry/ipfs/placement/IpfsPlacement") {
  static readonly layer = (options: {
    readonly order: ReadonlyArray<BackendName>
    /** The remote backend that the order names, if it names one. */
    readonly backend?: IpfsBackend | undefined
  }) =>
    Layer.effect(
      IpfsPlacement,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const content = yield* IpfsContent
        const deliveries = yield* ipfsDeliveries
        const caps = yield* uploadCaps
        const { order } = options
        const remote = options.backend && monitored(options.backend)
        const waiting = Semaphore.makeUnsafe(WAITING_MAX)
        const isStored = order.includes("embedded")
        const isAwaited = order[0] !== "embedded"

        /** Stores content and its delivery in one transaction. The delivery is due once the caller no longer waits. */
        const storeWithOutbox = (dag: FileDag, info: UploadInfo) =>
          Effect.gen(function* () {
            const stored = yield* content.store(dag, info)
            if (remote !== undefined) yield* deliveries.add(stored, remote, isAwaited ? DEADLINE_MILLIS : 0)
            return stored
          }).pipe(caps.counting, sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

        /** Without the embedded store an upload is counted before it is sent. */
        const countAlone = caps.counting(Effect.succeed({ isNew: false })).pipe(Effect.catchTag("SqlError", Effect.die))

        /** Sends content while the caller waits, and again if that fails fast and may recover. */
        const send = Effect.fnUntraced(function* (backend: MonitoredBackend, dag: FileDag, info: UploadInfo) {
          const pause = yield* isStored ? backend.pause : backend.askedPause
          if (Option.isSome(pause)) return yield* skipped(backend, pause.value.reason, pause.value.millis)
          const untilMillis = (yield* Clock.currentTimeMillis) + (isStored ? DEADLINE_MILLIS : ONLY_CHANCE_MILLIS)
          const left = Effect.map(Clock.currentTimeMillis, (now) => Math.max(untilMillis - now, 0))
          yield* Effect.retry(
            Effect.flatMap(left, (millis) => backend.put(dag, info, millis)),
            {
              times: ATTEMPTS_MAX - 1,
              schedule: Schedule.jittered(Schedule.exponential(200)),
              while: ({ isPermanent, retryAfterMillis }) =>
                Effect.map(
                  left,
                  (millis) => !isPermanent && retryAfterMillis === undefined && millis > RETRY_MILLIS_MIN,
                ),
            },
          )
        })

        const store = Effect.fn("IpfsPlacement.store")(function* (dag: FileDag, info: UploadInfo) {
          const placed = { cid: dag.root.toString(), contentType: info.contentType, sizeBytes: dag.sizeBytes }
          yield* isStored ? storeWithOutbox(dag, info) : countAlone
          const stored = { ...placed, backend: "embedded" as const }
          if (remote === undefined || !isAwaited) return stored
          const sent = { ...placed, backend: remote.name }
          if (!isStored) yield* Effect.catchTag(send(remote, dag, info), "BackendFailed", (fault) => unavailable(fault))
          else {
            if (yield* deliveries.isDelivered(placed.cid, remote)) return sent
            const outcome = yield* Semaphore.withPermitsIfAvailable(waiting, 1)(Effect.option(send(remote, dag, info)))
            if (Option.isNone(Option.flatten(outcome))) return stored
          }
          yield* deliveries.confirm(placed, remote)
          return sent
        })

        const parts = { order, isStored, remote, content, deliveries }
        const report = placementReport(parts)
        return IpfsPlacement.of({ store, report, health: placementHealth(parts, report), remote, isStored })
      }),
    )
}

const skipped = ({ name: backend }: MonitoredBackend, reason: string, retryAfterMillis: number) =>
  new BackendFailed({ backend, reason, isPermanent: false, scope: "backend", retryAfterMillis })

const unavailable = ({ isPermanent, reason, retryAfterMillis }: BackendFailed) => {
  const askedSeconds = retryAfterMillis && Math.min(Math.ceil(retryAfterMillis / 1000), RETRY_SECONDS_MAX)
  const retryAfterSeconds = isPermanent ? PERMANENT_RETRY_SECONDS : askedSeconds
  return new Unavailable({ service: "ipfs", reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}
