import type { ConfigCreated, PoolCreated } from "@launch-registry/chain/launch/events/DbcEvent"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { PoolStage } from "./DatabaseChanges.ts"

/** SQL of `dbc_configs`, `dbc_pools`, and of what changes to pools overwrote. */
export const poolStatements = (sql: SqlClient) => {
  const remember = (slot: bigint, pool: string) => sql`
    insert into substreams_history (block_num, table_name, pk, previous)
    select ${slot}, 'dbc_pools', pool, to_jsonb(p) from dbc_pools p where pool = ${pool}`

  return {
    insertConfig: ({ config, feeClaimer, leftoverReceiver, quoteMint }: ConfigCreated, slot: bigint) =>
      sql`insert into dbc_configs ${sql.insert({ config, feeClaimer, leftoverReceiver, quoteMint, createdSlot: slot })}
          on conflict (config) do nothing`,

    insertPool: (event: PoolCreated, slot: bigint) => {
      const { activationPoint, baseMint, config, creator, name, pool, poolType, quoteMint, symbol, uri } = event
      const row = { pool, baseMint, quoteMint, config, creator, name, symbol, uri, poolType }
      return sql`
        insert into dbc_pools ${sql.insert({ ...row, activationPoint: String(activationPoint), createdSlot: slot })}
        on conflict (pool) do nothing`
    },

    setStage: (change: PoolStage, slot: bigint) =>
      Effect.andThen(
        remember(slot, change.pool),
        change.stage === "completed"
          ? sql`update dbc_pools set completed_slot = ${slot} where pool = ${change.pool}`
          : sql`update dbc_pools set migrated_slot = ${slot}, migrated_pool = ${change.migratedPool} where pool = ${change.pool}`,
      ),

    restoreAbove: (slot: bigint) =>
      Effect.gen(function* () {
        yield* sql`delete from dbc_pools where created_slot > ${slot}`
        yield* sql`delete from dbc_configs where created_slot > ${slot}`
        // The oldest value that was overwritten above the slot is the one that stood at the slot.
        yield* sql`
          update dbc_pools p set completed_slot = h.completed_slot, migrated_slot = h.migrated_slot, migrated_pool = h.migrated_pool
          from (
            select distinct on (pk) pk, (previous ->> 'completed_slot')::bigint as completed_slot,
              (previous ->> 'migrated_slot')::bigint as migrated_slot, previous ->> 'migrated_pool' as migrated_pool
            from substreams_history where block_num > ${slot} and table_name = 'dbc_pools' order by pk, id
          ) h
          where p.pool = h.pk`
        yield* sql`delete from substreams_history where block_num > ${slot}`
      }),
  }
}
