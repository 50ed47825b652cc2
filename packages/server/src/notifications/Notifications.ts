import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { BridgeOutcomes } from "@launch-registry/domain/notifications/BridgeOutcomes"
import type { ChangeFigures } from "@launch-registry/domain/stream/ShownChange"
import { Context, Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFigures } from "./AttemptFigures.ts"
import { deliverMessages } from "./DeliverMessages.ts"
import { fanOut } from "./FanOut.ts"
import { followChanges } from "./FollowChanges.ts"
import { hostAddresses } from "./HostAddresses.ts"
import { messageSweep } from "./MessageSweep.ts"
import type { DeliveryPlaces } from "./MessageQueue.ts"
import { NotificationEndpoints } from "./NotificationEndpoints.ts"
import { NotificationMessages } from "./NotificationMessages.ts"
import type { NotificationOptions } from "./NotificationOptions.ts"

/** The parts of sending events. */
export interface NotificationParts {
  readonly endpoints: NotificationEndpoints["Service"]
  readonly messages: NotificationMessages["Service"]
  /** Makes messages of some of the new commits of the index; returns whether there may be more. */
  readonly follow: Effect.Effect<boolean, SqlError>
  /** Endpoints with due messages that there are places for, without those that are busy. */
  readonly dueEndpoints: (
    busy: ReadonlyArray<string>,
    places: DeliveryPlaces,
  ) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Delivers due messages of an endpoint. */
  readonly deliverTo: (endpointId: string) => Effect.Effect<void, SqlError>
  /** Deletes what is no longer kept, so many messages per statement; returns how many. */
  readonly sweep: (batch: number) => Effect.Effect<number, SqlError>
  readonly figures: AttemptFigures
}

/** Sending events to endpoints, where it is switched on. */
export class Notifications extends Context.Service<
  Notifications,
  { readonly parts: Effect.Effect<NotificationParts, NotConfigured> }
>()("./Notifications.ts") {}

const off = Layer.succeed(Notifications, {
  parts: Effect.suspend(() =>
    Effect.fail(new NotConfigured({ feature: "notifications", reason: "NOTIFICATIONS_SECRET is not set" })),
  ),
})

const on = (options: NotificationOptions) => {
  const addresses = hostAddresses(options.allowsPrivate, options.resolveHost)
  const outcomes = Layer.effect(
    BridgeOutcomes,
    Effect.map(fanOut(options), ({ send }) => ({
      add: (data, at) => send([{ type: "bridge", at, data: () => data, mint: undefined }]),
    })),
  )
  return Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const figures = new AttemptFigures()
      const parts: NotificationParts = {
        endpoints: yield* NotificationEndpoints,
        messages: yield* NotificationMessages,
        follow: yield* followChanges(options),
        ...(yield* deliverMessages(options, addresses, figures)),
        sweep: yield* messageSweep(options),
        figures,
      }
      return { parts: Effect.succeed(parts) }
    }),
  ).pipe(
    Layer.provide(Layer.mergeAll(NotificationEndpoints.layer(options, addresses), NotificationMessages.layer(options))),
    Layer.merge(outcomes),
  )
}

/** Sending events as `options` say; without them, every part says that it is switched off, and swaps are not announced. */
export const notifications = (
  options: Option.Option<NotificationOptions>,
): Layer.Layer<Notifications, never, SqlClient | ChangeFigures> =>
  Option.match(options, { onNone: () => off, onSome: on })
