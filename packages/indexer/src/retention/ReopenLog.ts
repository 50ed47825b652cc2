import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"
import { prunedSlots } from "./PrunedSlots.ts"

/**
 * Forgets that slots were deleted from the log, and that they were proven: the next comparison with the chain fetches them
 * again. Their facts stay meanwhile, and what is fetched is folded into them without changing them.
 */
export const reopenLog = Effect.fn("reopenLog")(function* (fence: Fence) {
  const sql = yield* SqlClient
  const pruned = prunedSlots(sql)
  const reports = reportStatements(sql)
  return yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    const slots = yield* pruned.read
    if (slots === undefined) return undefined
    const { fromSlot, toSlot } = slots
    yield* sql`
      insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
      select pool, ${toSlot + 1n}::bigint, to_slot, proven_by, proven_at, log_offset from coverage
      where from_slot <= ${toSlot} and to_slot > ${toSlot}`
    yield* sql`
      update coverage set to_slot = ${fromSlot - 1n}::bigint where from_slot < ${fromSlot} and to_slot >= ${fromSlot}`
    yield* sql`delete from coverage where from_slot between ${fromSlot} and ${toSlot}`
    yield* sql`
      update followed_pools set due_at = now(), retry_at = null where from_slot <= ${toSlot + 1n}`
    yield* pruned.forget
    // What was copied of these slots is derived from the log by the next one.
    yield* rebuildSchema(sql).dropAll
    // It says how far pools are proven, which they are not any more.
    yield* reports.forget("pools")
    // Rounds prove from the origin on, and these slots may have been backfilled from before it.
    const report = yield* reports.leader
    if (report !== undefined && report.originSlot !== null && BigInt(report.originSlot) > fromSlot)
      yield* reports.write(
        "leader",
        { ...report, originSlot: String(fromSlot) },
        new Date(yield* Clock.currentTimeMillis),
      )
    return slots
  }).pipe(sql.withTransaction)
})
