import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { regularly, untilDone } from "@launch-registry/postgres/Regularly"
import { Clock, Effect, Layer, Metric, Option } from "effect"
import type { MonitoredBackend } from "../backends/MonitoredBackend.ts"
import { IpfsContent } from "../content/IpfsContent.ts"
import { type Delivery, ipfsDeliveries } from "./IpfsDeliveries.ts"
import { IpfsPlacement } from "./IpfsPlacement.ts"

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

/** Works off the outbox: puts stored content to the backends that still lack it. Any number of workers and processes may. */
export const outboxWork = Effect.gen(function* () {
  const content = yield* IpfsContent
  const deliveries = yield* ipfsDeliveries

  const put = Effect.fn("deliverUpload", { kind: "consumer", root: true })(function* (
    backend: MonitoredBackend,
    delivery: Delivery,
  ) {
    const dag = yield* content.readDag(delivery)
    if (Option.isNone(dag)) {
      const reason = "its blocks are not kept here any more"
      return yield* deliveries.postpone(delivery.cid, backend, { reason, isPermanent: true })
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
  const deliver = Effect.fn("deliverUploads")(function* (backend: MonitoredBackend, worker = 0) {
    for (;;) {
      if (Option.isSome(yield* backend.pause)) return
      const { status } = yield* backend.state
      if (worker > 0 && status !== "up") return
      const [due] = yield* deliveries.claim(backend, 1)
      if (due === undefined) return
      yield* put(backend, due).pipe(releaseOnInterrupt(deliveries.release(due.cid, backend)))
    }
  })

  /** Adds stored uploads from before this backend was configured to its outbox. */
  const addMissing = Effect.fn("addMissingUploads")(function* (backend: MonitoredBackend) {
    for (let after: string | null = ""; after !== null;)
      after = yield* deliveries.addMissing(backend, after, MISSING_BATCH)
  })

  /** Measures how much waits for a backend, and since when. */
  const measure = Effect.fn("measureOutbox")(function* (backend: MonitoredBackend) {
    const { oldestAt, pending } = yield* deliveries.outbox(backend)
    const now = yield* Clock.currentTimeMillis
    const attributes = { backend: backend.name }
    yield* Metric.update(Metric.withAttributes(pendingGauge, attributes), pending)
    const seconds = Math.max(now - (oldestAt?.getTime() ?? now), 0) / 1000
    yield* Metric.update(Metric.withAttributes(oldestGauge, attributes), seconds)
  })

  return { deliver, addMissing, measure }
})

/** Probes an idle backend, so that its state is known before an upload needs it. */
export const probeWhenQuiet = Effect.fn("probeWhenQuiet")(function* (backend: MonitoredBackend) {
  // During a slow put a probe may be late for no other reason.
  if ((yield* backend.putsUnderWay) > 0 || Option.isSome(yield* backend.askedPause)) return
  const { lastFailureAt, lastSuccessAt } = yield* backend.state
  const heardMillis = Math.max(lastFailureAt?.getTime() ?? 0, lastSuccessAt?.getTime() ?? 0)
  if ((yield* Clock.currentTimeMillis) - heardMillis >= PROBE_MILLIS) yield* Effect.ignore(backend.probe)
})

/** Delivers for as long as the process lives; nothing without a remote backend. */
export const DeliverUploadsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { isStored, remote } = yield* IpfsPlacement
    if (remote === undefined) return
    const { addMissing, deliver, measure } = yield* outboxWork
    if (isStored)
      yield* Effect.forkScoped(
        untilDone(`Looking for uploads that ${remote.name} lacks`, RETRY_MILLIS, addMissing(remote)),
      )
    for (let worker = 0; worker < DELIVERIES_MAX; worker++)
      yield* Effect.forkScoped(regularly(`Delivering to ${remote.name}`, LOOK_MILLIS, deliver(remote, worker)))
    yield* Effect.forkScoped(regularly(`Probing ${remote.name}`, LOOK_MILLIS, probeWhenQuiet(remote)))
    yield* Effect.forkScoped(regularly(`Measuring ${remote.name}`, MEASURE_MILLIS, measure(remote)))
  }),
)
