import { IpfsUnavailable } from "@launch-registry/domain/ipfs/IpfsErrors"
import type { IpfsBackendReport, IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { FileDag } from "./Dag.ts"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "./IpfsBackend.ts"
import { IpfsContent, type StoredContent, type UploadInfo } from "./IpfsContent.ts"
import { IpfsDeliveries } from "./IpfsDeliveries.ts"
import { type MonitoredBackend, monitored } from "./MonitoredBackend.ts"

export type BackendName = "embedded" | RemoteBackendName

/** An attempt while the caller waits. */
const DEADLINE_MILLIS = 15_000
/** Attempts while the caller waits, a short pause apart, when the failure came fast and may pass. */
const ATTEMPTS_MAX = 3
const RETRY_WITHIN_MILLIS = 5_000

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
 * no backend takes is refused.
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
  }
>()("@launch-registry/server/ipfs/IpfsPlacement") {
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
        const remotes = options.backends.map((backend) =>
          monitored(backend, (isStart) => deliveries.hasten(backend.name, isStart)),
        )
        const remote = (name: BackendName) => remotes.filter((backend) => backend.name === name)
        const keptAt = options.order.indexOf("embedded")
        const isKept = keptAt >= 0
        const asked = (isKept ? options.order.slice(0, keptAt) : options.order).flatMap(remote)
        const copied = isKept ? options.order.slice(keptAt + 1).flatMap(remote) : []

        /** Keeps content here, and notes in the same transaction who is to get it. */
        const keep = (dag: FileDag, info: UploadInfo) =>
          Effect.gen(function* () {
            const stored = yield* content.store(dag, info)
            for (const { name } of asked.slice(0, 1)) yield* deliveries.add(stored, name, true)
            for (const { name } of copied) yield* deliveries.add(stored, name, false)
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

        const attempt = Effect.fnUntraced(function* (backend: MonitoredBackend, dag: FileDag, info: UploadInfo) {
          const startedAtMillis = yield* Clock.currentTimeMillis
          const mayPass = ({ isPermanent, retryAfterMillis }: BackendFailed) =>
            Effect.map(
              Clock.currentTimeMillis,
              (now) => !isPermanent && retryAfterMillis === undefined && now - startedAtMillis < RETRY_WITHIN_MILLIS,
            )
          return yield* backend.putWithin(DEADLINE_MILLIS, dag, info).pipe(
            Effect.retry({
              times: ATTEMPTS_MAX - 1,
              schedule: Schedule.jittered(Schedule.exponential(200)),
              while: mayPass,
            }),
          )
        })

        const store = Effect.fn("IpfsPlacement.store")(function* (dag: FileDag, info: UploadInfo) {
          const placed = { cid: dag.root.toString(), contentType: info.contentType, sizeBytes: dag.sizeBytes }
          if (isKept) yield* keep(dag, info)
          let fault: BackendFailed | undefined
          for (const [place, backend] of asked.entries()) {
            const hasOther = isKept || place < asked.length - 1
            if (yield* deliveries.isDelivered(placed.cid, backend.name)) return { ...placed, backend: backend.name }
            const taken = yield* Effect.result(
              hasOther && (yield* backend.isResting)
                ? Effect.fail(failure(backend.name, "it failed a moment ago"))
                : attempt(backend, dag, info),
            )
            if (taken._tag === "Success") {
              yield* deliveries.confirm(placed, backend.name)
              return { ...placed, backend: backend.name }
            }
            fault ??= taken.failure
            if (isKept && place === 0) yield* deliveries.postpone(placed.cid, backend.name, taken.failure)
          }
          if (isKept) return { ...placed, backend: "embedded" as const }
          return yield* new IpfsUnavailable({ reason: fault?.reason ?? "no backend is configured" })
        })

        const reportOf = Effect.fnUntraced(function* (name: BackendName) {
          const [backend] = remote(name)
          const state = backend === undefined ? undefined : yield* backend.state
          const outbox = backend === undefined ? undefined : yield* deliveries.outbox(backend.name)
          const lastFailure = Option.getOrUndefined(state?.lastFailure ?? Option.none())
          return {
            name,
            // The embedded store is the database, and it has just answered.
            status: state?.status ?? "up",
            lastSuccessAt: isoOf(state?.lastSuccessAt ?? Option.none()),
            lastFailureAt: lastFailure?.at.toISOString() ?? null,
            lastFailure: lastFailure?.reason ?? null,
            outbox: { pending: outbox?.pending ?? 0, oldestAt: isoOf(outbox?.oldestAt ?? Option.none()) },
          } satisfies IpfsBackendReport
        })

        const report = Effect.gen(function* () {
          const lastUploadAt = isoOf(yield* content.lastUploadAt)
          const backends = yield* Effect.forEach(options.order, reportOf)
          const outboxPending = backends.reduce((sum, { outbox }) => sum + outbox.pending, 0)
          return { backend: options.order[0]!, backends, outboxPending, lastUploadAt }
        }).pipe(Effect.withSpan("IpfsPlacement.report"))

        const health = report.pipe(
          Effect.timeout(HEALTH_DEADLINE_MILLIS),
          Effect.catchCause(() => Effect.succeed(undefined)),
          Effect.map((known): PartHealth => {
            if (known === undefined) return { status: "down", detail: "unknown: the database does not answer" }
            const down = known.backends.filter(({ status }) => status === "down")
            const parts = known.backends.map(({ lastFailure, name, status }) =>
              status === "down" ? `${name} down (${lastFailure})` : `${name} ${status}`,
            )
            const waiting = known.outboxPending === 0 ? [] : [`${known.outboxPending} uploads wait to be delivered`]
            const isUseless = !isKept && down.length === known.backends.length
            return {
              status: isUseless ? "down" : down.length > 0 ? "degraded" : "up",
              detail: [...parts, ...waiting].join(", "),
            }
          }),
        )

        return IpfsPlacement.of({ store, report, health, remotes })
      }),
    )
}

const HEALTH_DEADLINE_MILLIS = 1_000

const failure = (backend: string, reason: string) => new BackendFailed({ backend, reason, isPermanent: false })

const isoOf = (date: Option.Option<Date>): string | null => Option.getOrNull(Option.map(date, (at) => at.toISOString()))
