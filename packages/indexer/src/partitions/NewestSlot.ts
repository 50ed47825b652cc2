import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { reportStatements } from "../leader/ReportStatements.ts"

/**
 * The newest slot that the chain is known to have; `undefined` before it was asked. Received transactions do not tell: they may name any
 * slot until they are compared with the chain, which does not happen where the source is off.
 */
export const newestSlot = Effect.fnUntraced(function* (sql: SqlClient) {
  const report = yield* reportStatements(sql).leader
  const [row] = yield* sql<{ readonly proven: bigint | null; readonly folded: bigint | null }>`
    select (select max(to_slot) from coverage) as proven, (select max(slot) from cursors) as folded`
  const finalized = typeof report?.finalizedSlot === "string" ? BigInt(report.finalizedSlot) : undefined
  const known = [row?.proven, finalized].flatMap((slot) => slot ?? [])
  if (known.length > 0) return known.reduce((left, right) => (right > left ? right : left))
  return report?.source === "off" && row?.folded ? row.folded : undefined
})
