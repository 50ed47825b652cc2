import { regularly } from "@launch-registry/postgres/Regularly"
import { Cause, Effect, FiberMap, Layer } from "effect"
import { DELIVERY_PLACES } from "./MessageQueue.ts"
import { type NotificationParts, Notifications } from "./Notifications.ts"

const FOLLOW_MILLIS = 500
const LOOK_MILLIS = 250
const SWEEP_MILLIS = 60_000
/** Messages per statement. */
const SWEEP_BATCH = 1_000

const send = Effect.fnUntraced(function* ({ deliverTo, dueEndpoints, follow, sweep }: NotificationParts) {
  const busy = yield* FiberMap.make<string, void>()
  const deliver = (endpointId: string) =>
    FiberMap.run(
      busy,
      endpointId,
      Effect.catchCause(deliverTo(endpointId), (cause) =>
        // What it claimed is due again when the lease is over.
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logWarning(`Delivering to endpoint ${endpointId} failed and will be retried`, cause),
      ),
    )
  const look = Effect.gen(function* () {
    const endpoints = Array.from(busy, ([endpointId]) => endpointId)
    if (endpoints.length < DELIVERY_PLACES.all)
      yield* Effect.forEach(yield* dueEndpoints(endpoints, DELIVERY_PLACES), deliver, { discard: true })
  })
  const catchUp = Effect.repeat(follow, { while: (more) => more })
  yield* Effect.forkScoped(regularly("Following the index for notifications", FOLLOW_MILLIS, catchUp))
  yield* Effect.forkScoped(regularly("Looking for due notifications", LOOK_MILLIS, look))
  yield* Effect.forkScoped(regularly("Sweeping notifications", SWEEP_MILLIS, sweep(SWEEP_BATCH)))
})

/** Sends for as long as the process lives; nothing where notifications are switched off. Any number of processes may. */
export const SendNotificationsLayer = Layer.effectDiscard(
  Effect.flatMap(Notifications, ({ parts }) =>
    parts.pipe(
      Effect.flatMap(send),
      Effect.catchTag("NotConfigured", () => Effect.void),
    ),
  ),
)
