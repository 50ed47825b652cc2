import type { IpfsBackendReport, IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import type { MonitoredBackend } from "../backends/MonitoredBackend.ts"
import type { IpfsContent } from "../content/IpfsContent.ts"
import type { IpfsDeliveries } from "./IpfsDeliveries.ts"

const HEALTH_DEADLINE_MILLIS = 1_000

/** What the report covers. */
interface PlacementParts {
  /** Names of the configured order. */
  readonly order: ReadonlyArray<string>
  readonly isStored: boolean
  readonly remote: MonitoredBackend | undefined
  readonly content: IpfsContent["Service"]
  readonly deliveries: IpfsDeliveries
}

const isoOf = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** The embedded store is the database, which has just answered. */
const embedded: IpfsBackendReport = {
  ...{ name: "embedded", status: "up", lastSuccessAt: null, lastFailureAt: null, lastFailure: null, note: null },
  outbox: { pending: 0, failing: 0, oldestAt: null, lastError: null },
}

/** Where uploads go, how the backends last answered, and what is in the outbox. */
export const placementReport = ({ content, deliveries, order, remote }: PlacementParts): Effect.Effect<IpfsReport> => {
  const reportOf = Effect.fnUntraced(function* (name: string) {
    if (remote === undefined || name === "embedded") return embedded
    const { lastFailure, lastFailureAt, lastSuccessAt, status } = yield* remote.state
    const outbox = yield* deliveries.outbox(remote)
    return {
      ...{ name, status, lastSuccessAt: isoOf(lastSuccessAt), lastFailureAt: isoOf(lastFailureAt), lastFailure },
      ...{ outbox: { ...outbox, oldestAt: isoOf(outbox.oldestAt) }, note: null },
    } satisfies IpfsBackendReport
  })

  /** What waits for a backend, or a place at it, that is no longer configured. */
  const strayReports = Effect.map(deliveries.strays(remote), (strays) =>
    strays.map(({ name, oldestAt, pending }): IpfsBackendReport => ({
      ...{ ...embedded, name, status: "unknown" },
      outbox: { ...embedded.outbox, pending, oldestAt: isoOf(oldestAt) },
      note: order.includes(name)
        ? `had another place before, which never got ${pending} uploads`
        : `is not in the order any more and never got ${pending} uploads`,
    })),
  )

  return Effect.gen(function* () {
    const [stored, sent] = [yield* content.lastUploadAt, yield* deliveries.lastCreatedAt]
    const lastUploadAt = isoOf(stored !== undefined && (sent === undefined || stored > sent) ? stored : sent)
    const backends = yield* Effect.forEach(order, reportOf)
    const outboxPending = backends.reduce((sum, { outbox }) => sum + outbox.pending, 0)
    return { backend: order[0]!, backends: [...backends, ...(yield* strayReports)], outboxPending, lastUploadAt }
  }).pipe(Effect.withSpan("IpfsPlacement.report"))
}

/** The report as one line; also if the database does not answer. */
export const placementHealth = (
  { isStored, order }: PlacementParts,
  report: Effect.Effect<IpfsReport>,
): Effect.Effect<PartHealth> =>
  report.pipe(
    Effect.timeout(HEALTH_DEADLINE_MILLIS),
    Effect.map(({ backends, outboxPending }): PartHealth => {
      const down = backends.filter(({ status }) => status === "down")
      const parts = backends.map(({ lastFailure, name, note, status }) =>
        status === "down" ? `${name} down (${lastFailure})` : `${name} ${note ?? status}`,
      )
      const waiting = outboxPending === 0 ? [] : [`${outboxPending} uploads wait to be delivered`]
      const isDown = !isStored && down.length === order.length
      return {
        status: isDown ? "down" : down.length > 0 ? "degraded" : "up",
        detail: [...parts, ...waiting].join(", "),
      }
    }),
    Effect.catchCause(() =>
      Effect.succeed<PartHealth>({ status: "down", detail: "unknown: the database does not answer" }),
    ),
  )
