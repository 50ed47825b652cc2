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

/** SQL of the cordons in `indexer_progress`. */
export const cordonStatements = (sql: SqlClient) => {
  const all = sql<CordonRow>`
    select key as endpoint, value ->> 'reason' as reason, (value ->> 'since')::timestamptz(3) as created_at
    from indexer_progress, jsonb_each(cordons) order by key collate "C"`
  return {
    all,

    /** Takes an endpoint out of use; a new reason replaces the previous one. */
    add: (endpoint: string, reason: string) =>
      Effect.gen(function* () {
        yield* sql`
          update indexer_progress set cordons = cordons || jsonb_build_object(${endpoint}::text,
            jsonb_build_object('reason', ${reason}::text, 'since', now()::timestamptz(3)))
          where cordons -> ${endpoint}::text ->> 'reason' is distinct from ${reason}`
        return (yield* all).find((row) => row.endpoint === endpoint)!
      }).pipe(sql.withTransaction),

    /** Whether the endpoint was cordoned. */
    remove: (endpoint: string) =>
      Effect.map(
        sql`
          update indexer_progress set cordons = cordons - ${endpoint}::text where cordons ? ${endpoint}::text returning id`,
        (rows) => rows.length > 0,
      ),
  }
}

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
