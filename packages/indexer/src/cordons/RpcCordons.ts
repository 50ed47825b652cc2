import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** An endpoint that operators have taken out of use. */
export interface RpcCordon {
  readonly endpoint: string
  readonly reason: string
  readonly createdAt: Date
}

/** Names that endpoints have: their place in RPC_URL and RPC_BACKUP_URL. */
export const ENDPOINT_NAME = /^(primary|backup|backup-[1-9][0-9]?)$/

export const REASON_LENGTH_MAX = 200

/** Whether a text can be shown as a reason: one line, printable. */
export const isReason = (text: string): boolean =>
  text.trim() !== "" && text.length <= REASON_LENGTH_MAX && /^\P{C}+$/u.test(text)

/** SQL of `rpc_cordons`. */
export const cordonStatements = (sql: SqlClient) => ({
  all: sql<RpcCordon>`select endpoint, reason, created_at from rpc_cordons order by endpoint`,

  /** Takes an endpoint out of use; a new reason replaces the previous one. */
  add: (endpoint: string, reason: string) => sql`
    insert into rpc_cordons (endpoint, reason, created_at) values (${endpoint}, ${reason}, now())
    on conflict (endpoint) do update set reason = excluded.reason, created_at = excluded.created_at`,

  /** Whether the endpoint was cordoned. */
  remove: (endpoint: string) =>
    Effect.map(sql`delete from rpc_cordons where endpoint = ${endpoint} returning endpoint`, (rows) => rows.length > 0),
})
