import { ADMIN_KEY_ID, CurrentCaller } from "@launch-registry/domain/access/Caller"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Whose endpoints a caller may use; all of them if it is an admin. */
export interface EndpointOwner {
  /** Whose new endpoints are. */
  readonly owner: string
  readonly isForAll: boolean
}

/**
 * The owner that the caller of a request is. An API key and those it is rotated to are one owner, so that endpoints outlive
 * a key. The settings refuse notifications without credentials, so that in a service nobody is without one; who is has no right to those of others.
 */
export const endpointOwner: Effect.Effect<EndpointOwner> = Effect.map(CurrentCaller, (caller) => {
  if (caller._tag === "Anyone") return { owner: "anyone", isForAll: false }
  if (caller._tag === "Wallet") return { owner: `wallet:${caller.address}`, isForAll: caller.isAdmin }
  const isForAll = caller.scopes.includes("admin")
  return { owner: caller.id === ADMIN_KEY_ID ? "admin" : `key:${caller.family}`, isForAll }
})

/** Whether an endpoint, of table alias `e`, exists for the caller: it is the caller's own, or any for an admin. */
export const isOwn = (sql: SqlClient) =>
  Effect.map(endpointOwner, ({ isForAll, owner }) =>
    isForAll ? sql`e.state <> 'deleted'` : sql`e.state <> 'deleted' and e.owner = ${owner}`,
  )

/** Whether an endpoint, of table alias `e`, belongs to a wallet. Anyone can make wallets, and each may have endpoints. */
export const isOfWallet = (sql: SqlClient) => sql.literal("e.owner like 'wallet:%'")

/** Before the ids of all endpoints. */
export const FIRST_ID = "00000000-0000-0000-0000-000000000000"
