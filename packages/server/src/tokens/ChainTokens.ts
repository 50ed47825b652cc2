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
} from "../facts/ChainFacts.ts"
import { listings } from "../markets/Listings.ts"
import { correctTokens } from "./CorrectTokens.ts"
import { awaitRegistrations, lockLaunches } from "../markets/LaunchLock.ts"

/**
 * Applies launches on chain to the registry: launches with a configuration built here are registered, with what was
 * sent to the launch endpoints; tokens registered by clients are corrected; tokens whose curve has migrated become
 * inactive.
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
    const { config, createdAt, isMigrated, pool, quoteMint } = facts
    const rows = yield* sql`
      insert into tokens ${sql.insert({
        ...{ id: ids.next(now), mintAddress: facts.baseMint, ...chainColumns(facts) },
        ...(built === undefined ? {} : builtTexts(built)),
        ...{ quoteMint, dbcConfig: built?.dbcConfig && json(built.dbcConfig) },
        ...{ pool, config, active: !isMigrated, registeredBy: "chain", createdAt, updatedAt: createdAt },
      })} on conflict (mint_address) where deleted_at is null do nothing returning id`
    if (rows.length === 0) return
    yield* listed.register([facts.baseMint], true)
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

  /** Tokens of migrated pools are inactive, others are active: among these pools or all. */
  const setActive = (active: boolean, pools: ReadonlyArray<string> | undefined, now: Date) => sql`
    update tokens set active = ${active}, updated_at = ${now} where id in (
      select t.id from dbc_pools p
      join tokens t on t.mint_address = p.base_mint and t.deleted_at is null and t.active <> ${active}
      where (p.migrated_slot is null) = ${active} ${pools === undefined ? sql`` : sql`and p.pool = any(${pools}::text[])`}
      order by t.id for update of t
    )`

  /** Deletes tokens of rolled-back launches that only the chain had registered. */
  const unregister = Effect.fnUntraced(function* (mints: ReadonlyArray<string> | undefined) {
    yield* sql`
      delete from tokens t
      where t.registered_by = 'chain' and t.completed_at is null
        and not exists (select from dbc_pools p where p.base_mint = t.mint_address)
        ${mints === undefined ? sql`` : sql`and t.mint_address = any(${mints}::text[])`}`
  })

  /** Mints whose facts changed. */
  const mintsOf = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const mints = changes.flatMap((change) => {
      if (change.type === "token") return [change.mintAddress]
      if (change.type === "creator") return change.mintAddress ?? []
      return change.type === "revert" ? change.mintAddresses : []
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
    if (migrated.length > 0) yield* setActive(false, migrated, now)
    const reactivated = changes.flatMap((change) => (change.type === "revert" ? change.pools : []))
    if (reactivated.length > 0) yield* setActive(true, reactivated, now)
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
    yield* setActive(false, undefined, now)
  })

  return { follow, followAll }
}
