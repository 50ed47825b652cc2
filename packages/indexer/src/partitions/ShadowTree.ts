import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { partitionsDue } from "./PartitionsDue.ts"
import { partitionTree } from "./PartitionTree.ts"

/** How tables that are derived again are partitioned: as is due, and otherwise as the live ones are. */
export const shadowTree = Effect.fnUntraced(function* (sql: SqlClient) {
  const due = partitionsDue(sql)
  const live = yield* partitionTree(sql)
  const hours = live.length > 0 ? undefined : yield* due.hours
  return hours === undefined ? live : yield* due.plan(hours)
})
