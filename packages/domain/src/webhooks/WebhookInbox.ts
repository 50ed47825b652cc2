import { Context, type Effect, Schema } from "effect"
import { Data } from "../http/Envelope.ts"
import type { Busy } from "../http/LimitErrors.ts"
import type { Unavailable } from "../http/Unavailable.ts"

/** What a body held. */
export const Accepted = Schema.Struct({
  accepted: Schema.Int.annotate({ description: "Number of transactions, those that were known already included" }),
  unreadable: Schema.Int.annotate({ description: "Number of items that are no transactions" }),
}).annotate({ identifier: "AcceptedDelivery", description: "What was found in a delivery" })
export type Accepted = typeof Accepted.Type

/** What a delivery is answered with once it is durable. */
export const DeliveryAnswer = Data(Accepted)
export type DeliveryAnswer = typeof DeliveryAnswer.Encoded

/** Where the webhook route puts deliveries. Implemented by the indexer, used by the server. */
export class WebhookInbox extends Context.Service<
  WebhookInbox,
  {
    /** Durable once it succeeds; after a failure the delivery may be repeated. The body must not be changed afterwards. */
    readonly receive: (body: Uint8Array) => Effect.Effect<Accepted, Busy | Unavailable>
  }
>()("@launch-registry/domain/webhooks/WebhookInbox") {}
