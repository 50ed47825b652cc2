import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { transactionsUnder } from "../leader/Lease.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { HistoryLost, HistoryOfAnother } from "./HistoryFault.ts"
import { historyStatements } from "./HistoryStatements.ts"

const TABLE = "history_identity"

/** Makes sure that ClickHouse has the history of this index. Where it has none, everything is sent again: it is new, or was emptied. */
export const sameHistory = Effect.fn("sameHistory")(function* (
  sql: SqlClient,
  clickhouse: ClickHouse,
  held: ReturnType<typeof transactionsUnder>,
) {
  const statements = historyStatements(sql)
  const { historyId } = yield* statements.progress
  const { keptFrom } = yield* oldTrades(sql).kept
  const found = yield* clickhouse.select<{ readonly id: string }>(`select distinct id from ${TABLE} limit 2`)
  const isAnother = found.some(({ id }) => id !== historyId)
  if (keptFrom > 0n && (isAnother || found.length === 0)) return yield* new HistoryLost()
  if (isAnother) return yield* new HistoryOfAnother()
  if (found.length > 0) return
  // First here: a process that ends in between does the same again.
  yield* held(statements.sendAgain)
  yield* clickhouse.insert(TABLE, ["id"], [[historyId]])
})
