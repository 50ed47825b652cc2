import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { BridgeOutcomes } from "@launch-registry/domain/notifications/BridgeOutcomes"
import type { ChangeFigures } from "@launch-registry/domain/stream/ShownChange"
import { Context, Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { deliverMessages } from "./DeliverMessages.ts"
import { fanOut } from "./FanOut.ts"
import { followChanges } from "./FollowChanges.ts"
import { hostAddresses } from "../outgoing/HostAddresses.ts"
import { messageSweep } from "./MessageSweep.ts"
import { notificationEndpoints } from "./NotificationEndpoints.ts"
import { notificationMessages } from "./NotificationMessages.ts"
import type { NotificationOptions } from "./NotificationOptions.ts"
import { AttemptFigures } from "./PostMessage.ts"

/** The parts of sending events. */
const partsOf = Effect.fnUntraced(function* (options: NotificationOptions) {
  const addresses = hostAddresses(options.allowsPrivate, options.resolveHost)
  const figures = new AttemptFigures()
  return {
    endpoints: yield* notificationEndpoints(options, addresses),
    messages: yield* notificationMessages(options),
    /** Makes messages of some of the new commits of the index; returns whether there may be more. */
    follow: yield* followChanges(options),
    ...(yield* deliverMessages(options, addresses, figures)),
    /** Deletes what is no longer kept, so many messages per statement; returns how many. */
    sweep: yield* messageSweep(options),
    figures,
  }
})

export type NotificationParts = Effect.Success<ReturnType<typeof partsOf>>

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

const on = (options: NotificationOptions) =>
  Layer.merge(
    Layer.effect(
      Notifications,
      Effect.map(partsOf(options), (parts) => ({ parts: Effect.succeed(parts) })),
    ),
    Layer.effect(
      BridgeOutcomes,
      Effect.map(fanOut(options), ({ send }) => ({
        add: (data, at) => send([{ type: "bridge", at, data: () => data, mint: undefined }]),
      })),
    ),
  )

/** Sending events as `options` say; without them, every part says that it is switched off, and swaps are not announced. */
export const notifications = (
  options: Option.Option<NotificationOptions>,
): Layer.Layer<Notifications, never, SqlClient | ChangeFigures> =>
  Option.match(options, { onNone: () => off, onSome: on })
