import { Context, type Effect, Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Names that endpoints have: their place in RPC_URL and RPC_BACKUP_URL. */
export const ENDPOINT_NAME = /^(primary|backup|backup-[1-9][0-9]?)$/

const REASON_LENGTH_MAX = 200

/** Why an endpoint is cordoned, in one line of printable characters. */
export const CordonReason = Schema.String.check(
  Schema.isBetweenLength(1, REASON_LENGTH_MAX),
  Schema.makeFilter((text: string) => text.trim() === text || "expected no white space at either end"),
  Schema.makeFilter(
    (text: string) => /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(text) || "expected one line of printable characters",
  ),
)

/** Why and since when operators have taken an endpoint out of use. */
export const RpcCordon = Schema.Struct({
  reason: field(Schema.String, "Why, in the words of the operator"),
  since: field(Timestamp, "Since when"),
})
export type RpcCordon = typeof RpcCordon.Type

/** The cordons of every process. Implemented by the indexer, used by the server. */
export class RpcCordons extends Context.Service<
  RpcCordons,
  {
    /** Takes an endpoint out of use. The same reason again changes nothing, another one replaces it. */
    readonly add: (endpoint: string, reason: string) => Effect.Effect<RpcCordon>
    /** Puts an endpoint back into use; whether it was cordoned. */
    readonly remove: (endpoint: string) => Effect.Effect<boolean>
  }
>()("@launch-registry/domain/system/RpcCordons") {}
