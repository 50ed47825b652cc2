import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { FACTS_HASH, MODULE_HASH } from "../modules/ModuleHash.ts"
import { PARTITIONS_DUE, partitionsDue } from "../partitions/PartitionsDue.ts"
import { partitionTree } from "../partitions/PartitionTree.ts"
import { shadowTree } from "../partitions/ShadowTree.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { originOf, prunedSlots } from "../retention/PrunedSlots.ts"
import { SHADOW_SCHEMA, shadowTables } from "../sink/ShadowTables.ts"
import { hoursOf } from "../partitions/PartitionWidth.ts"
import { LogTooShort } from "./LogTooShort.ts"
import { switchTables } from "./SwitchTables.ts"

/**
 * A row of `cursors` beside that of these modules: what the live tables had before these modules went on with them is of other ones. Its
 * offset is 0, so nobody takes it for the end of the index.
 */
const REBUILD_DUE = `${MODULE_HASH} rebuild`

/** Why the live tables are to be derived again; `undefined`: they are not. */
export const rebuildReason = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: string }>`select id from cursors`
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0 && (!ids.includes(MODULE_HASH) || ids.includes(REBUILD_DUE))) return "the modules have changed"
  return (yield* partitionsDue(sql).hours) === undefined
    ? undefined
    : "old facts are to leave them, so they get partitions"
})

/** Whether the live tables have rows that other modules derived, or are to be partitioned. */
export const isRebuildDue = Effect.map(rebuildReason, (reason) => reason !== undefined)

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
    const tree = yield* shadowTree(sql)
    const isSameKind = (yield* partitionTree(sql, SHADOW_SCHEMA)).length > 0 === tree.length > 0
    const isSameOrigin = found?.origin === originOf(pruned)
    if (isSameOrigin && isSameKind && found.migration === (yield* shadow.newestMigration)) return
    if (pruned !== undefined && pruned.factsHash !== FACTS_HASH && !keepsFacts)
      return yield* new LogTooShort({ fromSlot: pruned.fromSlot, toSlot: pruned.toSlot })
    yield* shadow.create(originOf(pruned), tree)
    if (own !== undefined || !(yield* isRebuildDue)) return
    yield* sql`
      with theirs as (delete from cursors where not starts_with(id, ${PARTITIONS_DUE}) returning log_offset, slot)
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
  /** Trades are kept for so many days, so the tables have to be partitioned. */
  readonly keptDays?: number | undefined
}

/** Has tables that are not partitioned derived again as partitioned ones; an index without rows is at once. */
const duePartitions = Effect.fnUntraced(function* (fence: Fence, hours: bigint) {
  const sql = yield* SqlClient
  const due = partitionsDue(sql)
  const shadow = shadowTables(sql)
  const begin = Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    if (yield* due.isPartitioned) return
    yield* due.note(hours)
    const [folded] = yield* sql`select from cursors where log_offset > 0 limit 1`
    if (folded !== undefined) return
    const prepare = Effect.gen(function* () {
      yield* shadow.create(originOf(yield* prunedSlots(sql).read), yield* shadowTree(sql))
      return (yield* shadow.progress)!
    })
    yield* switchTables(sql, prepare)
    yield* sql`delete from cursors`
  })
  yield* begin.pipe(sql.withTransaction)
})

/** They are due no longer, where the tables are not partitioned yet. */
const withoutPartitions = Effect.fnUntraced(function* (fence: Fence) {
  const sql = yield* SqlClient
  const due = partitionsDue(sql)
  if ((yield* due.hours) === undefined) return
  yield* Effect.andThen(leaseStatements(sql).hold(fence), due.forget).pipe(sql.withTransaction)
})

/**
 * What a leader does first: begins the rebuild that is due, so that it may follow. Otherwise tables of a replay that nobody goes on with are
 * dropped.
 */
export const beginDue = Effect.fn("beginDue")(function* (
  fence: Fence,
  { isReplayNext, keepsFacts, keptDays }: DueOptions,
) {
  yield* keptDays === undefined ? withoutPartitions(fence) : duePartitions(fence, hoursOf(keptDays))
  if (yield* isRebuildDue) return yield* beginReplay(fence, keepsFacts)
  if (!isReplayNext) yield* dropAbandoned(fence)
})
