import { MIGRATIONS_TABLE } from "@launch-registry/migrations/Migrate"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { DERIVED_TABLES } from "./FactTables.ts"

/** Where these modules derive the tables again while those of `public` serve. */
export const REBUILD_SCHEMA = `derived_${MODULE_HASH.slice(0, 12)}`

/** Names of such schemas, of all versions. */
const REBUILD_SCHEMAS = "^derived_[0-9a-f]{12}$"

/** How far a rebuild is. */
export interface Rebuilt {
  /** Up to which offset the log is in its tables; 0 while facts are copied. */
  readonly logOffset: bigint
  /** The highest slot of what was folded. */
  readonly slot: bigint
  /** Folded into them. */
  readonly transactions: bigint
  /** The newest migration when they were created. */
  readonly migration: number
}

/** SQL of the schema that tables are derived in again. */
export const rebuildSchema = (sql: SqlClient) => {
  const schema = sql(REBUILD_SCHEMA)
  const progressTable = sql`${schema}.rebuild_progress`

  const exists = Effect.map(
    sql<{ readonly exists: boolean }>`
      select to_regclass(${`${REBUILD_SCHEMA}.rebuild_progress`}) is not null as exists`,
    ([row]) => row!.exists,
  )

  /** Use within a transaction: unqualified names are those of this schema, where it has one of that name. */
  const within = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
    const [before] = yield* sql<{ readonly path: string }>`select current_setting('search_path') as path`
    yield* sql`select set_config('search_path', ${`${REBUILD_SCHEMA}, public`}, true)`
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
      select nspname as name from pg_namespace where nspname ~ ${REBUILD_SCHEMAS}`
    for (const { name } of found) yield* sql`drop schema ${sql(name)} cascade`
  })

  return {
    within,
    exists,
    newestMigration,
    dropAll,

    /** `undefined` where there is none. */
    progress: Effect.gen(function* () {
      if (!(yield* exists)) return undefined
      const [row] = yield* sql<Rebuilt>`select log_offset, slot, transactions, migration from ${progressTable}`
      return row
    }),

    /** With empty tables, in place of any that is there. */
    create: Effect.gen(function* () {
      yield* dropAll
      yield* sql`create schema ${schema}`
      for (const table of [...DERIVED_TABLES, "dead_letters"])
        yield* sql`create table ${schema}.${sql(table)} (like public.${sql(table)} including all)`
      yield* sql`
        create table ${progressTable} as select 0::bigint as log_offset, 0::bigint as slot, 0::bigint as transactions,
          ${yield* newestMigration}::integer as migration`
    }),

    /** Notes a batch that was folded. */
    folded: ({ logOffset, slot, transactions }: Omit<Rebuilt, "migration">) => sql`
      update ${progressTable} set log_offset = ${logOffset}, slot = greatest(slot, ${slot}::bigint),
        transactions = transactions + ${transactions}::bigint`,

    /** Reverts here, too, what was reverted in `public`, and had been folded into both. Use within a transaction. */
    alsoRevert: Effect.fnUntraced(function* <Entry extends { readonly logOffset: bigint }>(
      entries: ReadonlyArray<Entry>,
      revert: (entries: ReadonlyArray<Entry>) => Effect.Effect<unknown, SqlError>,
    ) {
      if (!(yield* exists)) return
      const [row] = yield* sql<Pick<Rebuilt, "logOffset">>`select log_offset from ${progressTable}`
      const folded = entries.filter(({ logOffset }) => logOffset <= row!.logOffset)
      if (folded.length > 0) yield* within(revert(folded))
    }),
  }
}
