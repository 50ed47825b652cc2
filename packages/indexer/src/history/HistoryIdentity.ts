import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { transactionsUnder } from "../leader/Lease.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { HistoryFault } from "./HistoryFault.ts"
import { historyStatements } from "./HistoryStatements.ts"

const TABLE = "history_identity"

/** It is that of another index, or of this one before its own database was replaced. */
const OF_ANOTHER =
  "The database of HISTORY_URL has the history of another index, so nothing is sent to it: use one of its own"
const LOST =
  "Old trades have left PostgreSQL, and the database of HISTORY_URL is not the one that has them: set HISTORY_URL to what it was, or " +
  "restore its tables. If they are lost, a replay derives all trades from the log again"

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
  if (keptFrom > 0n && (isAnother || found.length === 0)) return yield* new HistoryFault({ reason: LOST })
  if (isAnother) return yield* new HistoryFault({ reason: OF_ANOTHER })
  if (found.length > 0) return
  // First here: a process that ends in between does the same again.
  yield* held(statements.sendAgain)
  yield* clickhouse.insert(TABLE, ["id"], [[historyId]])
})
