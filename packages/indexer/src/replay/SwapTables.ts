import { Clock, Effect, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { LeaseLost } from "../leader/Lease.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { DERIVED_TABLES } from "../sink/FactTables.ts"
import { changeStatements } from "../sink/EmittedChanges.ts"
import { tradingWindowStatements } from "../sink/TradingWindows.ts"
import { REBUILD_SCHEMA, type Rebuilt, rebuildSchema } from "../sink/RebuildSchema.ts"

/** The schema is not what it should be by now, so the tables are derived again. */
export class RebuildOutdated extends Schema.TaggedError<RebuildOutdated>()("RebuildOutdated", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The tables are derived again from the beginning: ${this.reason}`
  }
}

/**
 * New readers queue behind the swap while it waits for those in flight. To let out a reader that holds one table and waits for another, it
 * gives up before PostgreSQL's deadlock check (after a second) and retries.
 */
const LOCK_TIMEOUT = "300ms"
const TRIES = 200
const PAUSE_MILLIS = 100

const isLocked = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "LockTimeoutError"

/**
 * Puts the rebuilt tables in place of those of `public`, so readers see either the old ones or the new ones, and has followers of the index
 * start over. `prepare` holds the lease and brings the rebuild to the offset of `public`; it is repeated with each try. Returns how far it was.
 */
export const swapTables = Effect.fn("swapTables")(function* <E>(
  sql: SqlClient,
  prepare: Effect.Effect<Rebuilt, E | LeaseLost | SqlError>,
) {
  const changes = changeStatements(sql)
  const schema = sql(REBUILD_SCHEMA)
  const swap = Effect.gen(function* () {
    const progress = yield* prepare
    yield* sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
    yield* sql`lock table ${sql.literal(DERIVED_TABLES.map((table) => `public.${table}`).join(", "))} in access exclusive mode`
    if (progress.migration !== (yield* rebuildSchema(sql).newestMigration))
      return yield* new RebuildOutdated({ reason: "a migration changed them" })
    const names = yield* indexNames(sql)
    for (const table of DERIVED_TABLES) {
      yield* sql`drop table public.${sql(table)}`
      yield* sql`alter table ${schema}.${sql(table)} set schema public`
    }
    for (const { given, wanted } of names) yield* sql`alter index public.${sql(given)} rename to ${sql(wanted)}`
    yield* sql`delete from dead_letters`
    yield* sql`insert into dead_letters select * from ${schema}.dead_letters`
    yield* sql`drop schema ${schema} cascade`
    yield* sql`
      update indexer_progress set module_hash = ${MODULE_HASH}, is_rebuild_due = false,
        slot = greatest(slot, ${progress.slot}::bigint)`
    yield* followedPools(sql).reconsider
    yield* oldTrades(sql).keepAll
    yield* tradingWindowStatements(sql).startOver
    yield* changes.skip(new Date(yield* Clock.currentTimeMillis))
    return progress
  })
  return yield* Effect.retry(sql.withTransaction(swap), {
    ...{ times: TRIES, schedule: Schedule.spaced(PAUSE_MILLIS), while: isLocked },
  })
})

/** PostgreSQL renames the indexes of a copied table: its names, and those of the equivalent indexes of `public`. */
const indexNames = (sql: SqlClient) => sql<{ readonly given: string; readonly wanted: string }>`
  with named as (
    select schemaname, indexname, tablename, regexp_replace(indexdef, 'INDEX \\S+ ON \\S+', '') as does
    from pg_indexes where schemaname in ('public', ${REBUILD_SCHEMA}) and tablename = any(${[...DERIVED_TABLES]}::text[])
  )
  select copied.indexname as given, served.indexname as wanted
  from named copied join named served using (tablename, does)
  where copied.schemaname = ${REBUILD_SCHEMA} and served.schemaname = 'public' and copied.indexname <> served.indexname`
