import type { PgClient } from "@effect/sql-pg/PgClient"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { builtLaunches, type BuiltLaunchRow, builtTexts } from "./BuiltLaunch.ts"
import {
  CHAIN_FACTS_COLUMNS,
  CHAIN_FACTS_JOINS,
  type ChainFactsRow,
  chainColumns,
  withShownUris,
} from "./ChainFacts.ts"
import { listings } from "../markets/Listings.ts"
import { correctTokens } from "./CorrectTokens.ts"
import { awaitRegistrations, lockLaunches } from "../markets/LaunchLock.ts"
import { fromTokenConfig } from "./TokenConfigRow.ts"

/**
 * Applies launches on chain to the registry: launches with a configuration built here are registered, with what was
 * sent to the launch endpoints; tokens registered by clients are corrected; tokens whose curve has migrated become
 * inactive. Writes `tokens` and its dependent tables.
 */
export const chainTokens = (sql: SqlClient, json: PgClient["json"]) => {
  const ids = new UuidV7()
  const corrections = correctTokens(sql, json)
  const listed = listings(sql)

  /** Unregistered launches with a configuration built here. A deleted token is not registered again. */
  const launched = (mints: ReadonlyArray<string> | undefined) => sql<ChainFactsRow>`
    select ${sql.literal(CHAIN_FACTS_COLUMNS)} from dbc_pools p ${sql.literal(CHAIN_FACTS_JOINS)}
    where l.launchpad is not null and p.decimals between 0 and 18 and p.supply >= 0
      and not exists (select from tokens t where t.mint_address = p.base_mint)
      ${mints === undefined ? sql`` : sql`and p.base_mint = any(${mints}::text[])`}
    order by p.created_slot, p.pool`

  const insert = Effect.fnUntraced(function* (facts: ChainFactsRow, built: BuiltLaunchRow | undefined, now: number) {
    const id = ids.next(now)
    const { config, createdAt, isMigrated, pool, quoteMint } = facts
    const rows = yield* sql`
      insert into tokens ${sql.insert({
        ...{ id, mintAddress: facts.baseMint, ...chainColumns(facts) },
        ...(built === undefined ? {} : builtTexts(built)),
        ...{ pool, config, active: !isMigrated, registeredBy: "chain", createdAt, updatedAt: createdAt },
      })} on conflict (mint_address) where deleted_at is null do nothing returning id`
    if (rows.length === 0) return
    yield* listed.register([facts.baseMint], true)
    const tokenConfig = { quoteMint, ...(built?.dbcConfig && { dbcConfig: built.dbcConfig }) }
    yield* sql`insert into token_dbc_configs ${sql.insert(fromTokenConfig(id, tokenConfig as never, json))}`
  })

  /** Registers launches of these mints, or of all. */
  const register = Effect.fnUntraced(function* (mints?: ReadonlyArray<string>) {
    const found = yield* Effect.flatMap(launched(mints), withShownUris)
    if (found.length === 0) return
    const built = yield* builtLaunches(
      sql,
      found.map(({ baseMint }) => baseMint),
    )
    for (const facts of found) yield* insert(facts, built.get(facts.baseMint), yield* Clock.currentTimeMillis)
  })

  const setActive = Effect.fnUntraced(function* (mints: ReadonlyArray<string>, active: boolean, now: Date) {
    const rows = yield* sql<{ readonly id: string }>`
      select id from tokens where mint_address = any(${mints}::text[]) and deleted_at is null order by id for update`
    const ids = rows.map(({ id }) => id)
    yield* sql`
      update tokens set active = ${active}, updated_at = ${now} where id = any(${ids}::uuid[]) and active <> ${active}`
  })

  /** Deactivates tokens of migrated pools, among these or all. */
  const deactivate = Effect.fnUntraced(function* (pools: ReadonlyArray<string> | undefined, now: Date) {
    const rows = yield* sql<{ readonly baseMint: string }>`
      select p.base_mint from dbc_pools p join tokens t on t.mint_address = p.base_mint and t.active and t.deleted_at is null
      where p.migrated_slot is not null ${pools === undefined ? sql`` : sql`and p.pool = any(${pools}::text[])`}`
    if (rows.length > 0)
      yield* setActive(
        rows.map(({ baseMint }) => baseMint),
        false,
        now,
      )
  })

  /** Deletes tokens of rolled-back launches that only the chain had registered. */
  const unregister = Effect.fnUntraced(function* (mints: ReadonlyArray<string> | undefined) {
    const rows = yield* sql<{ readonly id: string; readonly mintAddress: string }>`
      select t.id, t.mint_address from tokens t
      where t.registered_by = 'chain' and t.completed_at is null
        and not exists (select from dbc_pools p where p.base_mint = t.mint_address)
        ${mints === undefined ? sql`` : sql`and t.mint_address = any(${mints}::text[])`}
      for update of t`
    const gone = rows.map(({ id }) => id)
    if (gone.length === 0) return
    yield* sql`delete from token_dbc_configs where token_id = any(${gone}::uuid[])`
    yield* sql`delete from token_tags where token_id = any(${gone}::uuid[])`
    yield* sql`delete from tokens where id = any(${gone}::uuid[])`
  })

  /** Reactivates tokens whose migration was rolled back. */
  const reactivate = Effect.fnUntraced(function* (pools: ReadonlyArray<string>, now: Date) {
    const rows = yield* sql<{ readonly baseMint: string }>`
      select base_mint from dbc_pools where pool = any(${pools}::text[]) and migrated_slot is null`
    if (rows.length > 0)
      yield* setActive(
        rows.map(({ baseMint }) => baseMint),
        true,
        now,
      )
  })

  /** Mints whose facts changed. */
  const mintsOf = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const mints = changes.flatMap((change) => {
      if (change.type === "token") return [change.baseMint]
      if (change.type === "creator") return change.baseMint ?? []
      return change.type === "revert" ? change.baseMints : []
    })
    const pools = changes.flatMap((change) => (change.type === "revert" ? change.creatorPools : []))
    if (pools.length === 0) return mints
    const rows = yield* sql<{ readonly baseMint: string }>`
      select base_mint from dbc_pools where pool = any(${pools}::text[])`
    return [...mints, ...rows.map(({ baseMint }) => baseMint)]
  })

  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const mints = [...new Set(yield* mintsOf(changes))]
    if (mints.length > 0) {
      yield* lockLaunches(sql)
      yield* register(mints)
      yield* unregister(mints)
      yield* corrections.correct(mints, now)
    }
    const migrated = changes.flatMap((change) =>
      change.type === "graduation" && change.stage === "migrated" ? [change.pool] : [],
    )
    if (migrated.length > 0) yield* deactivate(migrated, now)
    const reactivated = changes.flatMap((change) => (change.type === "revert" ? change.pools : []))
    if (reactivated.length > 0) yield* reactivate(reactivated, now)
  })

  /**
   * Rebuilds from the tables, when the individual changes are unknown. Takes minutes for a large registry, without
   * blocking registrations.
   */
  const followAll = Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* awaitRegistrations(sql)
    yield* register()
    yield* unregister(undefined)
    yield* corrections.correctAll(now)
    yield* deactivate(undefined, now)
  })

  return { follow, followAll }
}
