import type { IpfsBackendReport, IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect, Option } from "effect"
import type { IpfsContent } from "../content/IpfsContent.ts"
import type { IpfsDeliveries, StrayDeliveries } from "./IpfsDeliveries.ts"
import type { MonitoredBackend } from "../backends/MonitoredBackend.ts"

const HEALTH_DEADLINE_MILLIS = 1_000

/** What the report covers. */
interface PlacementParts {
  /** Names of the configured order. */
  readonly order: ReadonlyArray<string>
  readonly isStored: boolean
  readonly remotes: ReadonlyArray<MonitoredBackend>
  readonly content: IpfsContent["Service"]
  readonly deliveries: IpfsDeliveries["Service"]
}

/** Where uploads go, how the backends last answered, and what is in the outbox. */
export const placementReport = ({ content, deliveries, order, remotes }: PlacementParts): Effect.Effect<IpfsReport> => {
  const reportOf = Effect.fnUntraced(function* (name: string) {
    const backend = remotes.find((remote) => remote.name === name)
    if (backend === undefined) return embedded
    const { lastFailure, lastSuccessAt, status } = yield* backend.state
    const outbox = yield* deliveries.outbox(backend)
    return {
      name,
      status,
      lastSuccessAt: isoOf(lastSuccessAt),
      lastFailureAt: isoOf(Option.map(lastFailure, ({ at }) => at)),
      lastFailure: Option.getOrNull(Option.map(lastFailure, ({ reason }) => reason)),
      outbox: { ...outbox, oldestAt: isoOf(outbox.oldestAt), lastError: Option.getOrNull(outbox.lastError) },
      note: null,
    } satisfies IpfsBackendReport
  })

  return Effect.gen(function* () {
    const uploadedAt = [yield* content.lastUploadAt, yield* deliveries.lastCreatedAt].flatMap(Option.toArray)
    const lastUploadAt = isoOf(Option.fromNullishOr(uploadedAt.toSorted((a, b) => b.getTime() - a.getTime())[0]))
    const backends = yield* Effect.forEach(order, reportOf)
    const outboxPending = backends.reduce((sum, { outbox }) => sum + outbox.pending, 0)
    const strays = (yield* deliveries.strays(remotes)).map((stray) => strayReport(stray, order))
    return { backend: order[0]!, backends: [...backends, ...strays], outboxPending, lastUploadAt }
  }).pipe(Effect.withSpan("IpfsPlacement.report"))
}

/** The report as one line; also if the database does not answer. */
export const placementHealth = (
  { isStored, order }: PlacementParts,
  report: Effect.Effect<IpfsReport>,
): Effect.Effect<PartHealth> =>
  report.pipe(
    Effect.timeout(HEALTH_DEADLINE_MILLIS),
    Effect.catchCause(() => Effect.succeed(undefined)),
    Effect.map((known): PartHealth => {
      if (known === undefined) return { status: "down", detail: "unknown: the database does not answer" }
      const down = known.backends.filter(({ status }) => status === "down")
      const parts = known.backends.map(({ lastFailure, name, note, status }) =>
        status === "down" ? `${name} down (${lastFailure})` : `${name} ${note ?? status}`,
      )
      const waiting = known.outboxPending === 0 ? [] : [`${known.outboxPending} uploads wait to be delivered`]
      const isDown = !isStored && down.length === order.length
      return {
        status: isDown ? "down" : down.length > 0 ? "degraded" : "up",
        detail: [...parts, ...waiting].join(", "),
      }
    }),
  )

/** A note for operators about deliveries to a backend that is no longer configured. */
export const strayNote = ({ name, pending }: StrayDeliveries, order: ReadonlyArray<string>): string =>
  order.includes(name)
    ? `had another place before, which never got ${pending} uploads`
    : `is not in the order any more and never got ${pending} uploads`

const strayReport = (stray: StrayDeliveries, order: ReadonlyArray<string>): IpfsBackendReport => ({
  ...embedded,
  name: stray.name,
  status: "unknown",
  outbox: { ...embedded.outbox, pending: stray.pending, oldestAt: stray.oldestAt.toISOString() },
  note: strayNote(stray, order),
})

/** The embedded store is the database, which has just answered. */
const embedded = {
  name: "embedded",
  status: "up",
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailure: null,
  outbox: { pending: 0, failing: 0, oldestAt: null, lastError: null },
  note: null,
} as const satisfies IpfsBackendReport

const isoOf = (date: Option.Option<Date>): string | null => Option.getOrNull(Option.map(date, (at) => at.toISOString()))
