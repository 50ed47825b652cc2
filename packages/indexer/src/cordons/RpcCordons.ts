import { CordonReason, RpcCordons } from "@launch-registry/domain/system/RpcCordons"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** An endpoint that operators have taken out of use. */
export interface CordonRow {
  readonly endpoint: string
  readonly reason: string
  readonly createdAt: Date
}

export const isReason = Schema.is(CordonReason)

/** SQL of `rpc_cordons`. */
export const cordonStatements = (sql: SqlClient) => ({
  all: sql<CordonRow>`select endpoint, reason, created_at from rpc_cordons order by endpoint`,

  /** Takes an endpoint out of use; a new reason replaces the previous one. */
  add: (endpoint: string, reason: string) =>
    Effect.map(
      sql<CordonRow>`
        insert into rpc_cordons as c (endpoint, reason, created_at) values (${endpoint}, ${reason}, now())
        on conflict (endpoint) do update set reason = excluded.reason,
          created_at = case when c.reason = excluded.reason then c.created_at else excluded.created_at end
        returning endpoint, reason, created_at`,
      ([row]) => row!,
    ),

  /** Whether the endpoint was cordoned. */
  remove: (endpoint: string) =>
    Effect.map(sql`delete from rpc_cordons where endpoint = ${endpoint} returning endpoint`, (rows) => rows.length > 0),
})

/** The cordons of every process, for the server. */
export const RpcCordonsLayer = Layer.effect(
  RpcCordons,
  Effect.map(SqlClient, (sql) => {
    const { add, remove } = cordonStatements(sql)
    return RpcCordons.of({
      add: (endpoint, reason) =>
        Effect.orDie(
          Effect.map(add(endpoint, reason), ({ createdAt, reason: kept }) => ({
            reason: kept,
            since: createdAt.toISOString(),
          })),
        ),
      remove: (endpoint) => Effect.orDie(remove(endpoint)),
    })
  }),
)
