import { randomUUID } from "node:crypto"
import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LeaseLost } from "../leader/Lease.ts"
import { HistoryLost, HistoryOfAnother } from "./HistoryFault.ts"
import { historyStatements } from "./HistoryStatements.ts"

const TABLE = "history_identity"

/**
 * Makes sure that ClickHouse has the history of this index, by an id that both know. Where it has none, everything is sent again: it is new, or
 * was emptied. `held` opens a transaction that holds the lease.
 */
export const sameHistory = Effect.fn("sameHistory")(function* (
  sql: SqlClient,
  clickhouse: ClickHouse,
  held: <A, E2>(work: Effect.Effect<A, E2>) => Effect.Effect<A, E2 | LeaseLost | SqlError>,
) {
  const statements = historyStatements(sql)
  const { historyId, keptFrom, sentBelow } = yield* statements.progress
  const found = yield* clickhouse.select<{ readonly id: string }>(`select distinct id from ${TABLE} limit 2`)
  if (found.some(({ id }) => id !== historyId)) return yield* keptFrom > 0n ? new HistoryLost() : new HistoryOfAnother()
  if (found.length > 0) return
  if (keptFrom > 0n) return yield* new HistoryLost()
  const id = historyId ?? randomUUID()
  // First here: a process that ends in between does the same again.
  const begin = sentBelow > 0n ? Effect.asVoid(statements.sendAgain) : Effect.void
  yield* held(Effect.andThen(statements.sendTo(id), begin))
  yield* clickhouse.insert(TABLE, ["id"], [[id]])
})
