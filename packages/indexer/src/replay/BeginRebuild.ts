import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"

/** Whether the tables have rows that other modules derived, so that they are to be derived again. */
export const isRebuildDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`
    select from indexer_progress where module_hash is not null and (is_rebuild_due or module_hash <> ${MODULE_HASH})`
  return rows.length > 0
})

/**
 * Goes on with the schema that an earlier run has left, or creates it. From then on these modules may follow with the tables of `public`,
 * whatever derived them so far.
 */
export const beginRebuild = Effect.fn("beginRebuild")(function* (fence: Fence) {
  const sql = yield* SqlClient
  const schema = rebuildSchema(sql)
  const begin = Effect.gen(function* () {
    const [own] = yield* sql`select from indexer_progress where module_hash = ${MODULE_HASH}`
    const found = own === undefined ? undefined : yield* schema.progress
    if (found !== undefined && found.migration === (yield* schema.newestMigration)) return
    yield* schema.create
    if (own === undefined && (yield* isRebuildDue))
      yield* sql`update indexer_progress set module_hash = ${MODULE_HASH}, is_rebuild_due = true`
  })
  yield* transactionsUnder(sql, fence)(begin)
})

/** Drops what a replay that was given up has derived, and its progress. */
export const dropRebuilt = Effect.fn("dropRebuilt")(function* (fence: Fence) {
  const sql = yield* SqlClient
  const drop = Effect.andThen(rebuildSchema(sql).dropAll, reportStatements(sql).forget("replay"))
  yield* transactionsUnder(sql, fence)(drop)
})

/** The same, where there is something that nobody goes on with. */
export const dropAbandoned = Effect.fn("dropAbandoned")(function* (fence: Fence) {
  if (yield* rebuildSchema(yield* SqlClient).exists) yield* dropRebuilt(fence)
})

/** What a leader does first: begins the rebuild that is due, so that it may follow, or drops what nobody goes on with. */
export const beginDue = Effect.fn("beginDue")(function* (fence: Fence, isReplayNext: boolean) {
  if (yield* isRebuildDue) return yield* beginRebuild(fence)
  if (!isReplayNext) yield* dropAbandoned(fence)
})
