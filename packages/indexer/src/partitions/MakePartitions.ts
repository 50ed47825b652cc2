import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { SHADOW_SCHEMA } from "../sink/ShadowTables.ts"
import { NOT_URGENT, untilUnlocked, whileLocked } from "./BriefLock.ts"
import { newestSlot } from "./NewestSlot.ts"
import { boundsAhead } from "./PartitionBounds.ts"
import { aheadOf, hourOf, MINUTES, PARTITIONED_RANGES, type PartitionedRange } from "./PartitionedRange.ts"
import { rangeBound } from "./PartitionTree.ts"
import { widthOf } from "./PartitionWidth.ts"
import { type RangePartitions, rangePartitions } from "./RangePartitions.ts"

/**
 * Makes the partitions that end at these bounds, after all others. Rows that are ahead already, forged or not, move into them in the same
 * transaction.
 */
const addPartitions = (
  sql: SqlClient,
  schema: string,
  range: PartitionedRange,
  found: RangePartitions,
  ends: ReadonlyArray<bigint>,
) => {
  const named = (name: string) => sql`${sql(schema)}.${sql(name)}`
  const parent = named(range.table)
  const ahead = named(aheadOf(range))
  const last = ends.at(-1)!
  const work = Effect.gen(function* () {
    yield* sql`alter table ${parent} detach partition ${ahead}`
    let from = found.aheadFrom
    for (const to of ends) {
      yield* sql`
        create table ${named(range.nameOf(from))} partition of ${parent} ${sql.literal(rangeBound(range, from, to))}`
      from = to
    }
    yield* sql`
      with moved as (delete from ${ahead} where ${sql(range.column)} < ${sql.literal(range.boundOf(last))} returning *)
      insert into ${parent} select * from moved`
    yield* sql`
      alter table ${parent} attach partition ${ahead} ${sql.literal(rangeBound(range, last, "maxvalue"))}`
  })
  return whileLocked(sql, parent, work)
}

/**
 * Makes partitions ahead of the chain, in the live tables and in those that a rebuild derives, where they are partitioned; returns how many.
 * Without `hours`, their width, they are as wide as the last ones.
 */
export const makePartitions = Effect.fn("makePartitions")(function* (fence: Fence, hours: bigint | undefined) {
  const sql = yield* SqlClient
  const lease = leaseStatements(sql)
  const { slotMillis } = reportStatements(sql)

  const ahead = Effect.fnUntraced(function* (schema: string, range: PartitionedRange) {
    const found = yield* rangePartitions(sql, range, schema)
    const newest = range === MINUTES ? hourOf(new Date(yield* Clock.currentTimeMillis)) : yield* newestSlot(sql)
    if (found === undefined || newest === undefined) return 0
    const last = found.between.at(-1)
    const width = hours === undefined ? last && last.to - last.from : widthOf(range, hours, yield* slotMillis)
    if (width === undefined) return 0
    const ends = boundsAhead(found.aheadFrom, newest, width, found.between.length)
    if (ends.length > 0) yield* addPartitions(sql, schema, range, found, ends)
    return ends.length
  })

  let made = 0
  for (const schema of ["public", SHADOW_SCHEMA])
    for (const range of PARTITIONED_RANGES)
      made += yield* untilUnlocked(
        Effect.andThen(lease.hold(fence), ahead(schema, range)).pipe(sql.withTransaction),
        NOT_URGENT,
      )
  if (made > 0) yield* Effect.logInfo(`Made ${made} partitions ahead`)
  return made
})
