import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lockLaunches } from "./LaunchLock.ts"
import { STAGE } from "./PoolStage.ts"

/** Pools that a step compares. */
const STEP_POOLS = 500
/** Pools of a configuration that are derived again when it becomes known; later steps do the rest. */
const LEARNED_POOLS = 1_000
/** The newest launches, whose configurations are likely to be unknown. */
const NEWEST = 100

/** Millionths of the migration threshold, as figures of curves have them; 0 while they are not known. */
const PROGRESS_SCALE = 1_000_000

const DERIVED = ["base_mint", "config", "creator", "quote_mint", "stage", "launched_at", "graduated_at", "progress"]

/**
 * SQL of `launch_listings`: by what launches are sorted and filtered, derived from the tables of the indexer and from the registry.
 * Trades that are indexed late emit no change, and neither do those of other versions: a comparison of all pools, in steps, finds them.
 */
export const listings = (sql: SqlClient) => {
  /**
   * Writes those of these pools that differ from what they are derived from. Where a row is there, whether it is registered stays,
   * unless registrations are locked out: one that has not ended says so itself.
   */
  const derive = (pools: Fragment, isLocked = false) => {
    const columns = isLocked ? [...DERIVED, "is_registered"] : DERIVED
    const of = (alias: string) => sql.literal(columns.map((column) => alias + column).join(", "))
    return sql`
    insert into launch_listings (pool, base_mint, config, creator, quote_mint, stage, is_registered, launched_at,
      graduated_at, progress)
    select d.* from (
      select p.pool, p.base_mint, p.config, p.creator, p.quote_mint, ${sql.literal(STAGE)} as stage,
        exists (select from tokens t where t.mint_address = p.base_mint and t.deleted_at is null) as is_registered,
        p.created_at as launched_at, p.migrated_at as graduated_at,
        case when last.venue <> 'dbc' then ${PROGRESS_SCALE}::integer else
          least(coalesce(trunc(last.quote_reserve * ${PROGRESS_SCALE}::integer / nullif(k.migration_quote_threshold, 0)), 0),
            ${PROGRESS_SCALE}::integer)::integer end as progress
      from dbc_pools p
      left join launch_configs k on k.config_address = p.config
      left join lateral (
        select quote_reserve, venue from trades where base_mint = p.base_mint order by ordinal desc, signature desc limit 1
      ) last on true
      where p.pool in (${pools})
    ) d
    left join launch_listings l on l.pool = d.pool
    where l.pool is null or (${of("l.")}) is distinct from (${of("d.")})
    on conflict (pool) do update set (${of("")}) = (${of("excluded.")})`
  }

  const withoutPool = sql`not exists (select from dbc_pools p where p.pool = l.pool)`

  /** Within the transaction that applies these changes to the registry. */
  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const mints = new Set<string>()
    const pools = new Set<string>()
    for (const change of changes) {
      if (change.type === "trade" || change.type === "liquidity") continue
      if (change.type === "revert") {
        for (const mint of change.mintAddresses) mints.add(mint)
        for (const pool of [...change.pools, ...change.creatorPools]) pools.add(pool)
      } else pools.add(change.pool)
    }
    if (mints.size + pools.size === 0) return
    if (pools.size > 0) yield* derive(sql`select unnest(${[...pools]}::text[])`)
    if (mints.size > 0)
      yield* sql`delete from launch_listings l where base_mint = any(${[...mints]}::text[]) and ${withoutPool}`
  })

  const startOver = sql`update server_progress set compared_to = '', is_compared = false where name = 'registry'`

  /** Compares the next pools. Returns whether all have been compared since the start, and configurations that are not known yet. */
  const step = Effect.gen(function* () {
    const [progress] = yield* sql<{ readonly listedTo: string; readonly isListed: boolean }>`
      select compared_to as listed_to, is_compared as is_listed from server_progress where name = 'registry' for update`
    if (progress === undefined) return { isListed: true, unknown: [] }
    // No registration is in flight: what they said before is committed, and later ones find these rows.
    yield* lockLaunches(sql)
    const { listedTo } = progress
    const rows = yield* sql<{ readonly pool: string; readonly unknown: string | null }>`
      select p.pool, case when k.supply is null then p.config end as unknown
      from dbc_pools p left join launch_configs k on k.config_address = p.config
      where p.pool > ${listedTo} order by p.pool limit ${STEP_POOLS}`
    const pools = rows.map(({ pool }) => pool)
    const isEnd = pools.length < STEP_POOLS
    const next = isEnd ? "" : pools.at(-1)!
    if (pools.length > 0) yield* derive(sql`select unnest(${pools}::text[])`, true)
    const upTo = isEnd ? sql`` : sql`and pool <= ${next}`
    yield* sql`delete from launch_listings l where pool > ${listedTo} ${upTo} and ${withoutPool}`
    // Of another chain, or of launches that were reverted.
    if (isEnd && !progress.isListed)
      yield* sql`
        update launch_configs k set base_decimals = null, quote_decimals = null, supply = null,
          migration_quote_threshold = null, start_sqrt_price = null, token_update_authority = null
        where supply is not null and not exists (select from dbc_pools p where p.config = k.config_address)`
    const isListed = progress.isListed || isEnd
    yield* sql`update server_progress set compared_to = ${next}, is_compared = ${isListed} where name = 'registry'`
    return { isListed, unknown: [...new Set(rows.flatMap(({ unknown }) => unknown ?? []))] }
  }).pipe(sql.withTransaction)

  /** Configurations of the newest launches that are not known yet. */
  const unknownConfigs = Effect.map(
    sql<{ readonly config: string }>`
      select distinct newest.config
      from unnest(array[true, false]) r (is_registered)
      cross join lateral (
        select config from launch_listings
        where is_registered = r.is_registered and stage = 'curve' order by launched_at desc, pool desc limit ${NEWEST}
      ) newest
      where not exists (
        select from launch_configs k where k.config_address = newest.config and k.supply is not null)`,
    (rows) => rows.map(({ config }) => config),
  )

  return {
    follow,
    startOver,
    step,
    unknownConfigs,
    /** Derives pools of a configuration that has become known. */
    deriveOf: (config: string) =>
      Effect.andThen(
        // One at a time with the others, because each locks many rows.
        sql`select from server_progress where name = 'registry' for update`,
        derive(sql`select pool from launch_listings where config = ${config} limit ${LEARNED_POOLS}`),
      ).pipe(sql.withTransaction),
    /** Within the transaction that registers or deletes the tokens of these mints. */
    register: (mints: ReadonlyArray<string>, isRegistered: boolean) => sql`
      update launch_listings set is_registered = ${isRegistered} where base_mint = any(${mints}::text[])`,
  }
}
