import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { FACTS_HASH, MODULE_HASH } from "../modules/ModuleHash.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { originOf, prunedSlots } from "../retention/PrunedSlots.ts"
import { shadowTables } from "../sink/ShadowTables.ts"
import { LogTooShort } from "./LogTooShort.ts"

/**
 * A row of `cursors` beside that of these modules: what the live tables had before these modules went on with them is of other ones. Its
 * offset is 0, so nobody takes it for the end of the index.
 */
const REBUILD_DUE = `${MODULE_HASH} rebuild`

/** Whether the live tables have rows that other modules derived, so that they are to be derived again. */
export const isRebuildDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: string }>`select id from cursors`
  const ids = rows.map(({ id }) => id)
  return ids.length > 0 && (!ids.includes(MODULE_HASH) || ids.includes(REBUILD_DUE))
})

/**
 * Goes on with the shadow tables that an earlier run has left, or creates them. From then on these modules may follow with the live tables,
 * whatever derived them so far. Refused when the facts of deleted slots are of other modules, unless `keepsFacts`.
 */
export const beginReplay = Effect.fn("beginReplay")(function* (fence: Fence, keepsFacts = false) {
  const sql = yield* SqlClient
  const shadow = shadowTables(sql)
  return yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    const pruned = yield* prunedSlots(sql).read
    const [own] = yield* sql`select from cursors where id = ${MODULE_HASH}`
    const found = own === undefined ? undefined : yield* shadow.progress
    const isSameOrigin = found?.origin === originOf(pruned)
    if (isSameOrigin && found.migration === (yield* shadow.newestMigration)) return
    if (pruned !== undefined && pruned.factsHash !== FACTS_HASH && !keepsFacts)
      return yield* new LogTooShort({ fromSlot: pruned.fromSlot, toSlot: pruned.toSlot })
    yield* shadow.create(originOf(pruned))
    if (own !== undefined || !(yield* isRebuildDue)) return
    yield* sql`
      with theirs as (delete from cursors returning log_offset, slot)
      insert into cursors (id, log_offset, slot) select ${MODULE_HASH}, max(log_offset), max(slot) from theirs`
    yield* sql`insert into cursors (id, log_offset, slot) values (${REBUILD_DUE}, 0, 0)`
  }).pipe(sql.withTransaction)
})

/** Drops what a replay that was given up has derived, and its progress. */
export const dropShadow = Effect.fn("dropShadow")(function* (fence: Fence) {
  const sql = yield* SqlClient
  yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    yield* shadowTables(sql).dropAll
    yield* reportStatements(sql).forget("replay")
  }).pipe(sql.withTransaction)
})

/** Drops shadow tables that nobody goes on with. */
export const dropAbandoned = Effect.fn("dropAbandoned")(function* (fence: Fence) {
  if (yield* shadowTables(yield* SqlClient).exists) yield* dropShadow(fence)
})

interface DueOptions {
  readonly isReplayNext: boolean
  readonly keepsFacts: boolean
}

/**
 * What a leader does first: begins the rebuild that is due, so that it may follow. Otherwise tables of a replay that nobody goes on with are
 * dropped.
 */
export const beginDue = Effect.fn("beginDue")(function* (fence: Fence, { isReplayNext, keepsFacts }: DueOptions) {
  if (yield* isRebuildDue) return yield* beginReplay(fence, keepsFacts)
  if (!isReplayNext) yield* dropAbandoned(fence)
})
