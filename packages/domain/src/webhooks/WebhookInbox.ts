import { Context, type Effect } from "effect"
import type { InboxFull, InboxUnavailable } from "./WebhookErrors.ts"

/** What was made of a body. */
export interface Accepted {
  /** Transactions; those that were known already count as well. */
  readonly accepted: number
  /** Things that are no transactions; kept apart. */
  readonly unreadable: number
}

/** Where the receiver of webhooks puts what it is sent. Implemented by the indexer, used by the server. */
export class WebhookInbox extends Context.Service<
  WebhookInbox,
  {
    /** Durable once it succeeds; after a failure the same may be sent again. The body is the inbox's from then on. */
    readonly receive: (body: Uint8Array) => Effect.Effect<Accepted, InboxFull | InboxUnavailable>
  }
>()("@launch-registry/domain/webhooks/WebhookInbox") {}
