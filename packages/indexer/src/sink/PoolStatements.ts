import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { EventRow } from "../modules/FactRows.ts"
import { deleteFacts, insertFacts } from "./FactTables.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"

/** Pools and configurations whose events changed. */
export interface Touched {
  readonly pools: ReadonlyArray<string>
  readonly configs: ReadonlyArray<string>
}

/** An event whose transaction was reverted. */
export interface RevertedEvent extends Pick<EventRow, "signature" | "type" | "pool" | "config"> {
  readonly baseMint: string | null
}

/** Tokens of a pool that a curve migrated to. */
export interface MigratedTokens {
  readonly baseMint: string
  readonly quoteMint: string
}

/** Events that a row of `dbc_pools` is made of; most others are claims. */
const OF_POOLS = ["PoolCreated", "PoolCreatorChanged", "CurveComplete", "PoolMigrated"] as const
type PoolEvent = (typeof OF_POOLS)[number]
const isOfPool = (type: EventRow["type"]): boolean => (OF_POOLS as ReadonlyArray<EventRow["type"]>).includes(type)

export const touchedBy = (rows: ReadonlyArray<Pick<EventRow, "type" | "pool" | "config">>): Touched => ({
  pools: [...new Set(rows.flatMap(({ pool, type }) => (isOfPool(type) ? (pool ?? []) : [])))],
  configs: [...new Set(rows.flatMap(({ config, type }) => (type === "ConfigCreated" ? (config ?? []) : [])))],
})

/**
 * SQL of `dbc_events`, and of its folds `dbc_pools` and `dbc_configs`, which are recomputed whenever their events change, so that the
 * order of arrival does not matter.
 */
export const poolStatements = (sql: SqlClient) => {
  const shift = sql.literal(String(SLOT_SHIFT))

  /** Deletes the folds of `touched` as well: they have to be derived again. */
  const insertEvents = (rows: ReadonlyArray<EventRow>, { configs, pools }: Touched) => sql`
    with pools as (delete from dbc_pools where pool = any(${pools}::text[])),
      configs as (delete from dbc_configs where config = any(${configs}::text[]))
    ${insertFacts(sql, "dbc_events", rows)}`

  /** Deletes the events of these transactions and returns them. */
  const deleteEvents = (entries: ReadonlyArray<LogEntry>) => sql<RevertedEvent>`
    ${deleteFacts(sql, "dbc_events", entries)}
    returning t.signature, t.type, t.pool, t.config, t.facts ->> 'baseMint' as base_mint`

  /** The first or the last event of a type of the pool `p`. */
  const one = (type: PoolEvent, order: "asc" | "desc", alias: string) => sql`
    left join lateral (
      select e.facts, e.ordinal, e.block_time from dbc_events e
      where e.pool = p.pool and e.type = ${type}
      order by e.ordinal ${sql.literal(order)}, e.signature ${sql.literal(order)} limit 1
    ) ${sql.literal(alias)} on true`

  /** Derives the missing rows of these from their events; returns the base mint of each pool. */
  const derive = ({ configs, pools }: Touched) =>
    configs.length + pools.length === 0
      ? Effect.succeed(new Map<string, string>())
      : Effect.map(
          sql<{ readonly pool: string; readonly baseMint: string }>`
        with configs as (
          insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, token_decimal, created_slot)
          select distinct on (config) config, facts ->> 'quoteMint', facts ->> 'feeClaimer', facts ->> 'leftoverReceiver',
            (facts ->> 'tokenDecimal')::smallint, ordinal >> ${shift}
          from dbc_events where config = any(${configs}::text[]) and type = 'ConfigCreated'
          order by config, ordinal, signature
        )
        insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, decimals,
          supply, created_slot, created_at, completed_slot, migrated_slot, migrated_at, migrated_pool)
        select p.pool, p.facts ->> 'baseMint', p.facts ->> 'quoteMint', p.config,
          coalesce(changed.facts ->> 'newCreator', p.facts ->> 'creator'), p.facts ->> 'name', p.facts ->> 'symbol',
          p.facts ->> 'uri', (p.facts ->> 'poolType')::smallint,
          (p.facts ->> 'decimals')::smallint, (p.facts ->> 'supply')::numeric, p.ordinal >> ${shift}, p.block_time,
          completed.ordinal >> ${shift}, migrated.ordinal >> ${shift},
          migrated.block_time, migrated.facts ->> 'migratedPool'
        from (
          select distinct on (pool) * from dbc_events
          where pool = any(${pools}::text[]) and type = 'PoolCreated'
          order by pool, ordinal, signature
        ) p
        ${one("PoolCreatorChanged", "desc", "changed")}
        ${one("CurveComplete", "asc", "completed")}
        ${one("PoolMigrated", "asc", "migrated")}
        returning pool, base_mint`,
          (rows) => new Map(rows.map(({ baseMint, pool }) => [pool, baseMint])),
        )

  /** Derives these again. */
  const refresh = ({ configs, pools }: Touched) =>
    configs.length + pools.length === 0
      ? Effect.void
      : Effect.andThen(
          sql`
            with configs as (delete from dbc_configs where config = any(${configs}::text[]))
            delete from dbc_pools where pool = any(${pools}::text[])`,
          derive({ configs, pools }),
        )

  /** Derives those that events from one ordinal up to before another are of. */
  const refreshBetween = Effect.fnUntraced(function* (first: bigint, beyond: bigint) {
    const rows = yield* sql<Pick<EventRow, "type" | "pool" | "config">>`
      select distinct type, pool, config from dbc_events where ordinal >= ${first} and ordinal < ${beyond}`
    yield* refresh(touchedBy(rows))
  })

  /** Of those of these pools that curves migrated to. */
  const tokensOfMigrated = (migratedPools: ReadonlyArray<string>) =>
    migratedPools.length === 0
      ? Effect.succeed(new Map<string, MigratedTokens>())
      : Effect.map(
          sql<MigratedTokens & { readonly migratedPool: string }>`
            select migrated_pool, base_mint, quote_mint from dbc_pools where migrated_pool = any(${migratedPools}::text[])`,
          (rows) => new Map(rows.map((row) => [row.migratedPool, row])),
        )

  return { insertEvents, deleteEvents, derive, refresh, refreshBetween, tokensOfMigrated }
}
