import { regularly } from "@launch-registry/domain/time/Regularly"
import { Clock, Effect, Layer, Option } from "effect"
import { IpfsContent } from "./IpfsContent.ts"
import { type Delivery, IpfsDeliveries } from "./IpfsDeliveries.ts"
import { IpfsPlacement } from "./IpfsPlacement.ts"
import type { MonitoredBackend } from "./MonitoredBackend.ts"
import { storedDag } from "./StoredDag.ts"

const LOOK_MILLIS = 1_000
/** Deliveries under way at the same time: each holds a whole file in memory. */
const DELIVERIES_MAX = 3
/** A backend that nobody used for this long is asked whether it answers. */
const PROBE_MILLIS = 30_000

/**
 * Empties the outbox: hands what is kept here to the backends that are still to get it. Any number of processes may do so;
 * each takes what no other has claimed.
 */
export const deliverUploads = Effect.gen(function* () {
  const content = yield* IpfsContent
  const deliveries = yield* IpfsDeliveries

  const deliver = Effect.fn("deliverUpload")(function* (backend: MonitoredBackend, delivery: Delivery) {
    const dag = yield* storedDag(content, delivery)
    if (Option.isNone(dag)) {
      const reason = "its blocks are not kept here any more"
      return yield* deliveries.postpone(delivery.cid, backend.name, { reason, isPermanent: true })
    }
    yield* backend.put(dag.value, delivery).pipe(
      Effect.andThen(deliveries.confirm(delivery, backend.name)),
      Effect.catchTag("BackendFailed", (fault) => deliveries.postpone(delivery.cid, backend.name, fault)),
    )
  })

  /** Delivers what is due, until nothing is or the backend fails. While it is away, one upload at a time tries it. */
  return Effect.fn("deliverUploads")(function* (backend: MonitoredBackend) {
    for (;;) {
      if (yield* backend.isResting) return
      const { status } = yield* backend.state
      const due = yield* deliveries.claim(backend.name, status === "up" ? DELIVERIES_MAX : 1)
      if (due.length === 0) return
      yield* Effect.forEach(due, (delivery) => deliver(backend, delivery), {
        concurrency: DELIVERIES_MAX,
        discard: true,
      })
    }
  })
})

/** Asks a backend that nothing was heard of lately, so that its state is known before somebody needs it. */
const probeWhenQuiet = Effect.fnUntraced(function* (backend: MonitoredBackend) {
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

/** Delivers for as long as the process lives. */
export const DeliverUploadsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { remotes } = yield* IpfsPlacement
    const deliver = yield* deliverUploads
    for (const backend of remotes) {
      yield* Effect.forkScoped(regularly(`Delivering to ${backend.name}`, LOOK_MILLIS, deliver(backend)))
      yield* Effect.forkScoped(regularly(`Probing ${backend.name}`, LOOK_MILLIS, probeWhenQuiet(backend)))
    }
  }),
)
