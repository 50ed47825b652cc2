import { MIGRATIONS_TABLE } from "@launch-registry/migrations/Migrate"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { DERIVED_TABLES } from "./DerivedTables.ts"

/** Where these modules derive tables again, beside the live ones. */
export const SHADOW_SCHEMA = `derived_${MODULE_HASH.slice(0, 12)}`

/** Names of such schemas, of all versions. */
const SHADOW_SCHEMAS = "^derived_[0-9a-f]{12}$"

/**
 * Folding writes these as well. Dead letters take the place of the live ones when the tables are switched; reverts are noted for windows that
 * count live trades, so those of shadow trades go with the schema.
 */
const ALSO_FOLDED = ["dead_letters", "trading_reverts"] as const

/** How far the shadow tables are. */
export interface ShadowProgress {
  /** Up to which offset the log is in them; 0 while facts are copied. */
  readonly logOffset: bigint
  /** The highest slot of what was folded. */
  readonly slot: bigint
  /** Folded into them. */
  readonly transactions: bigint
  /** What they are to begin with; another beginning takes other tables. */
  readonly origin: string
  /** The newest migration when they were created. */
  readonly migration: number
}

/** SQL of the tables that a rebuild derives, in a schema of their own. */
export const shadowTables = (sql: SqlClient) => {
  const schema = sql(SHADOW_SCHEMA)
  const progressTable = sql`${schema}.replay_progress`

  const exists = Effect.map(
    sql<{ readonly exists: boolean }>`
      select to_regclass(${`${SHADOW_SCHEMA}.replay_progress`}) is not null as exists`,
    ([row]) => row!.exists,
  )

  /** Use within a transaction: unqualified names are those of the shadow tables, where there is one of that name. */
  const within = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
    const [before] = yield* sql<{ readonly path: string }>`select current_setting('search_path') as path`
    yield* sql`select set_config('search_path', ${`${SHADOW_SCHEMA}, public`}, true)`
    const result = yield* work
    yield* sql`select set_config('search_path', ${before!.path}, true)`
    return result
  })

  const newestMigration = Effect.map(
    sql<{ readonly id: number }>`select coalesce(max(migration_id), 0)::integer as id from ${sql(MIGRATIONS_TABLE)}`,
    ([row]) => row!.id,
  )

  /** Those of every version. */
  const dropAll = Effect.gen(function* () {
    const found = yield* sql<{ readonly name: string }>`
      select nspname as name from pg_namespace where nspname ~ ${SHADOW_SCHEMAS}`
    for (const { name } of found) yield* sql`drop schema ${sql(name)} cascade`
  })

  return {
    within,
    exists,
    newestMigration,
    dropAll,

    /** `undefined` where none are derived. */
    progress: Effect.gen(function* () {
      if (!(yield* exists)) return undefined
      const [row] = yield* sql<ShadowProgress>`
        select log_offset, slot, transactions, origin, migration from ${progressTable}`
      return row
    }),

    /** Empty tables, in place of any that are there. */
    create: Effect.fnUntraced(function* (origin: string) {
      yield* dropAll
      yield* sql`create schema ${schema}`
      for (const table of [...DERIVED_TABLES, ...ALSO_FOLDED])
        yield* sql`create table ${schema}.${sql(table)} (like public.${sql(table)} including all)`
      yield* sql`create table ${schema}.copied_facts (step text primary key, reached text not null)`
      yield* sql`
        create table ${progressTable} as
        select 0::bigint as log_offset, 0::bigint as slot, 0::bigint as transactions, ${origin}::text as origin,
          ${yield* newestMigration}::integer as migration`
    }),

    /** Notes a batch that was folded. */
    folded: ({ logOffset, slot, transactions }: Pick<ShadowProgress, "logOffset" | "slot" | "transactions">) => sql`
      update ${progressTable} set log_offset = ${logOffset}, slot = greatest(slot, ${slot}::bigint),
        transactions = transactions + ${transactions}::bigint`,

    /** Reverts in them, too, what was reverted in the live tables, and had been folded into both. Use within a transaction. */
    alsoRevert: Effect.fnUntraced(function* <Entry extends { readonly logOffset: bigint }>(
      entries: ReadonlyArray<Entry>,
      revert: (entries: ReadonlyArray<Entry>) => Effect.Effect<unknown, SqlError>,
    ) {
      if (!(yield* exists)) return
      const [row] = yield* sql<ShadowProgress>`select log_offset from ${progressTable}`
      const folded = entries.filter(({ logOffset }) => logOffset <= row!.logOffset)
      if (folded.length > 0) yield* within(revert(folded))
    }),
  }
}
