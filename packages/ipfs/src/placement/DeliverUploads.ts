import { regularly, untilDone } from "@launch-registry/postgres/Regularly"
import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect, Layer, Metric, Option } from "effect"
import { IpfsContent } from "../content/IpfsContent.ts"
import { type Delivery, IpfsDeliveries } from "./IpfsDeliveries.ts"
import { IpfsPlacement } from "./IpfsPlacement.ts"
import type { MonitoredBackend } from "../backends/MonitoredBackend.ts"
import { strayNote } from "./PlacementReport.ts"

const LOOK_MILLIS = 1_000
/** Deliveries in flight: each holds a whole file in memory. */
const DELIVERIES_MAX = 3
/** A backend that was idle for this long is probed. */
const PROBE_MILLIS = 30_000
const MEASURE_MILLIS = 10_000
/** Uploads per statement. */
const MISSING_BATCH = 500
const RETRY_MILLIS = 10_000

const pendingGauge = Metric.gauge("ipfs_outbox_pending", {
  description: "Uploads that a backend is still to get, by backend",
})
const oldestGauge = Metric.gauge("ipfs_outbox_oldest_seconds", {
  description: "Age of the oldest upload that a backend is still to get, by backend; 0 when there is none",
})

/**
 * Works off the outbox: puts stored content to the backends that still lack it. Any number of workers and processes may.
 */
export const deliverUploads = Effect.gen(function* () {
  const content = yield* IpfsContent
  const deliveries = yield* IpfsDeliveries

  const deliver = Effect.fn("deliverUpload", { kind: "consumer", root: true })(function* (
    backend: MonitoredBackend,
    delivery: Delivery,
  ) {
    const dag = yield* content.readDag(delivery)
    if (Option.isNone(dag)) {
      const reason = "its blocks are not kept here any more"
      return yield* deliveries.postpone(delivery.cid, backend, { reason, isPermanent: true, scope: "upload" })
    }
    yield* backend.put(dag.value, delivery).pipe(
      Effect.andThen(deliveries.confirm(delivery, backend)),
      Effect.catchTag("BackendFailed", (fault) => deliveries.postpone(delivery.cid, backend, fault)),
    )
  })

  /**
   * Delivers what is due one by one, until nothing is or the backend fails. Of the workers, numbered from 0, the first alone
   * tries a backend that is not known to be up.
   */
  return Effect.fn("deliverUploads")(function* (backend: MonitoredBackend, worker = 0) {
    for (;;) {
      if (Option.isSome(yield* backend.pause)) return
      const { status } = yield* backend.state
      if (worker > 0 && status !== "up") return
      const [due] = yield* deliveries.claim(backend, 1)
      if (due === undefined) return
      yield* deliver(backend, due).pipe(releaseOnInterrupt(deliveries.release(due.cid, backend)))
    }
  })
})

/** Probes an idle backend, so that its state is known before an upload needs it. */
export const probeWhenQuiet = Effect.fn("probeWhenQuiet")(function* (backend: MonitoredBackend) {
  // During a slow put a probe may be late for no other reason.
  if ((yield* backend.putsUnderWay) > 0 || Option.isSome(yield* backend.askedPause)) return
  const { lastFailure, lastSuccessAt } = yield* backend.state
  const heard = [lastSuccessAt, Option.map(lastFailure, ({ at }) => at)].map((at) =>
    Option.getOrElse(
      Option.map(at, (date) => date.getTime()),
      () => 0,
    ),
  )
  const now = yield* Clock.currentTimeMillis
  if (now - Math.max(...heard) >= PROBE_MILLIS) yield* Effect.ignore(backend.probe)
})

/** Adds stored uploads from before this backend was configured to its outbox. */
export const addMissingUploads = Effect.fn("addMissingUploads")(function* (backend: MonitoredBackend) {
  const deliveries = yield* IpfsDeliveries
  let after = ""
  for (;;) {
    const last = yield* deliveries.addMissing(backend, after, MISSING_BATCH)
    if (Option.isNone(last)) return
    after = last.value
  }
})

/** Measures how much waits for a backend, and since when. */
export const measureOutbox = Effect.fn("measureOutbox")(function* (backend: MonitoredBackend) {
  const { oldestAt, pending } = yield* (yield* IpfsDeliveries).outbox(backend)
  const now = yield* Clock.currentTimeMillis
  const millis = Option.match(oldestAt, { onNone: () => 0, onSome: (at) => Math.max(now - at.getTime(), 0) })
  const attributes = { backend: backend.name }
  yield* Metric.update(Metric.withAttributes(pendingGauge, attributes), pending)
  yield* Metric.update(Metric.withAttributes(oldestGauge, attributes), millis / 1000)
})

/** Logs deliveries for backends that are no longer configured. */
export const warnOfStrays = Effect.gen(function* () {
  const { remotes } = yield* IpfsPlacement
  const names = remotes.map(({ name }) => name)
  for (const stray of yield* (yield* IpfsDeliveries).strays(remotes))
    yield* Effect.logWarning(`IPFS backend ${stray.name} ${strayNote(stray, names)}`)
})

/** Delivers for as long as the process lives. */
export const DeliverUploadsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { owed, remotes } = yield* IpfsPlacement
    const deliver = yield* deliverUploads
    const context = yield* Effect.context<IpfsDeliveries | IpfsPlacement>()
    const once = (what: string, work: Effect.Effect<void, never, IpfsDeliveries | IpfsPlacement>) =>
      Effect.forkScoped(untilDone(what, RETRY_MILLIS, Effect.provide(work, context)))
    yield* once("Looking for uploads that go nowhere", warnOfStrays)
    for (const backend of owed)
      yield* once(`Looking for uploads that ${backend.name} lacks`, addMissingUploads(backend))
    for (const backend of remotes) {
      for (let worker = 0; worker < DELIVERIES_MAX; worker++)
        yield* Effect.forkScoped(regularly(`Delivering to ${backend.name}`, LOOK_MILLIS, deliver(backend, worker)))
      yield* Effect.forkScoped(regularly(`Probing ${backend.name}`, LOOK_MILLIS, probeWhenQuiet(backend)))
      const measure = Effect.provide(measureOutbox(backend), context)
      yield* Effect.forkScoped(regularly(`Measuring ${backend.name}`, MEASURE_MILLIS, measure))
    }
  }),
)
