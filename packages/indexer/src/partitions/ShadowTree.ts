import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { historyStatements } from "../history/HistoryStatements.ts"
import { MINUTES } from "./PartitionedRange.ts"
import { partitionsDue } from "./PartitionsDue.ts"
import { partitionTree } from "./PartitionTree.ts"
import { rangePartitions } from "./RangePartitions.ts"

/**
 * How tables that are derived again are partitioned: as is due, and otherwise as the live ones are. Where old facts have left these, the others get
 * them again, in partitions that can be dropped.
 */
export const shadowTree = Effect.fnUntraced(function* (sql: SqlClient) {
  const due = partitionsDue(sql)
  const live = yield* partitionTree(sql)
  const width = Effect.gen(function* () {
    if (live.length === 0) return yield* due.hours
    const { keptFrom } = yield* historyStatements(sql).progress
    if (keptFrom === 0n) return undefined
    const last = (yield* rangePartitions(sql, MINUTES))?.between.at(-1)
    return last && last.to - last.from
  })
  const hours = yield* width
  return hours === undefined ? live : yield* due.plan(hours)
})
