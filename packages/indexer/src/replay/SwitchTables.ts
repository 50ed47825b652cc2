import { Clock, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { historyStatements } from "../history/HistoryStatements.ts"
import type { LeaseLost } from "../leader/Lease.ts"
import { FACTS_HASH, MODULE_HASH } from "../modules/ModuleHash.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { originOf, prunedSlots } from "../retention/PrunedSlots.ts"
import { DERIVED_TABLES } from "../sink/DerivedTables.ts"
import { changeStatements } from "../sink/EmittedChanges.ts"
import { SHADOW_SCHEMA, type ShadowProgress, shadowTables } from "../sink/ShadowTables.ts"
import { untilUnlocked, waitBriefly } from "./BriefLock.ts"

/** The shadow tables are not what they should be by now, so they are derived again. */
export class ShadowOutdated extends Schema.TaggedError<ShadowOutdated>()("ShadowOutdated", { reason: Schema.String }) {
  override get message(): string {
    return `The tables are derived again from the beginning: ${this.reason}`
  }
}

/**
 * Puts the shadow tables in place of the live ones, so readers see either the old ones or the new ones, and has followers of the index start
 * over. `prepare` holds the lease and brings the shadow tables to the offset of the live ones; it is repeated with each try. Returns how far
 * they were.
 */
export const switchTables = Effect.fn("switchTables")(function* <E>(
  sql: SqlClient,
  prepare: Effect.Effect<ShadowProgress, E | LeaseLost | SqlError>,
) {
  const changes = changeStatements(sql)
  const pruned = prunedSlots(sql)
  const shadow = sql(SHADOW_SCHEMA)
  const locked = sql.literal(DERIVED_TABLES.map((table) => `public.${table}`).join(", "))
  return yield* Effect.gen(function* () {
    const progress = yield* prepare
    yield* waitBriefly(sql)
    yield* sql`lock table ${locked} in access exclusive mode`
    if (progress.migration !== (yield* shadowTables(sql).newestMigration))
      return yield* new ShadowOutdated({ reason: "a migration changed the live ones" })
    const deleted = yield* pruned.read
    if (progress.origin !== originOf(deleted))
      return yield* new ShadowOutdated({ reason: "other slots are deleted from the log" })
    const names = yield* indexNames(sql)
    for (const table of DERIVED_TABLES) {
      yield* sql`drop table public.${sql(table)}`
      yield* sql`alter table ${shadow}.${sql(table)} set schema public`
    }
    for (const [given, wanted] of names)
      if (given !== wanted) yield* sql`alter index public.${sql(given)} rename to ${sql(wanted)}`
    yield* sql`delete from dead_letters`
    yield* sql`insert into dead_letters select * from ${shadow}.dead_letters`
    yield* sql`drop schema ${shadow} cascade`
    yield* sql`
      with live as (delete from cursors returning log_offset, slot)
      insert into cursors (id, log_offset, slot)
      select ${MODULE_HASH}, coalesce(max(log_offset), 0), greatest(max(slot), ${progress.slot}::bigint) from live`
    yield* followedPools(sql).reconsider
    yield* historyStatements(sql).startOver()
    if (deleted !== undefined) yield* pruned.write({ ...deleted, factsHash: FACTS_HASH })
    yield* changes.skip(new Date(yield* Clock.currentTimeMillis))
    return progress
  }).pipe(sql.withTransaction, untilUnlocked)
})

/** PostgreSQL renames the indexes of a copied table: pairs of its names and those of the equivalent live indexes. */
const indexNames = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly given: string; readonly wanted: string }>`
      with named as (
        select schemaname, indexname, tablename,
          regexp_replace(indexdef, 'INDEX \\S+ ON (ONLY )?\\S+', '') as does
        from pg_indexes where schemaname in ('public', ${SHADOW_SCHEMA}) and tablename = any(${[...DERIVED_TABLES]}::text[])
      )
      select copied.indexname as given, live.indexname as wanted
      from named copied join named live using (tablename, does)
      where copied.schemaname = ${SHADOW_SCHEMA} and live.schemaname = 'public'`,
    (rows) => rows.map(({ given, wanted }) => [given, wanted] as const),
  )
