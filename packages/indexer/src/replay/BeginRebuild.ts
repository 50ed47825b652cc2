import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"

/**
 * A row of `cursors` beside that of these modules: what the tables had before these modules went on with them is of other ones. Its offset
 * is 0, so nobody takes it for the end of the index.
 */
const REBUILD_DUE = `${MODULE_HASH} rebuild`

/** Whether the tables have rows that other modules derived, so that they are to be derived again. */
export const isRebuildDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: string }>`select id from cursors`
  const ids = rows.map(({ id }) => id)
  return ids.length > 0 && (!ids.includes(MODULE_HASH) || ids.includes(REBUILD_DUE))
})

/**
 * Goes on with the schema that an earlier run has left, or creates it. From then on these modules may follow with the tables of `public`,
 * whatever derived them so far.
 */
export const beginRebuild = Effect.fn("beginRebuild")(function* (fence: Fence) {
  const sql = yield* SqlClient
  const schema = rebuildSchema(sql)
  const begin = Effect.gen(function* () {
    const [own] = yield* sql`select from cursors where id = ${MODULE_HASH}`
    const found = own === undefined ? undefined : yield* schema.progress
    if (found !== undefined && found.migration === (yield* schema.newestMigration)) return
    yield* schema.create
    if (own !== undefined || !(yield* isRebuildDue)) return
    yield* sql`
      with theirs as (delete from cursors returning log_offset, slot)
      insert into cursors (id, log_offset, slot) select ${MODULE_HASH}, max(log_offset), max(slot) from theirs`
    yield* sql`insert into cursors (id, log_offset, slot) values (${REBUILD_DUE}, 0, 0)`
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
