import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyStatements } from "../history/HistoryStatements.ts"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { DERIVED_TABLES } from "../sink/FactTables.ts"
import { changeStatements } from "../sink/EmittedChanges.ts"
import { tradingWindowStatements } from "../sink/TradingWindows.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"

/** Received from a chain and derived from it. Offsets and ids of changes continue from where they were. */
const FORGOTTEN_TABLES = [
  ...DERIVED_TABLES,
  "trading_windows",
  "trading_traders",
  "inbox_segments",
  "inbox_transactions",
  "inbox_poison",
  "inbox_dropped",
  "dead_letters",
  "coverage",
  "followed_pools",
  "indexer_reports",
  "indexer_jobs",
] as const

/** Counting tables of millions of rows exceeds the timeout of requests. */
const STATEMENT_TIMEOUT = "30min"
/** New readers queue behind a waiting lock. */
const LOCK_TIMEOUT = "10s"

export interface Forgotten {
  readonly table: string
  readonly rows: bigint
}

/**
 * Empties the index, all of it or nothing: the database is as if no chain had been followed. What clients registered and
 * recorded stays; followers of the index start over from its tables, so tokens that only the chain had registered go.
 */
export const forgetChain = Effect.fn("forgetChain")(function* (fence: Fence) {
  const sql = yield* SqlClient
  const changes = changeStatements(sql)
  return yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true), set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
    const forgotten: Array<Forgotten> = []
    for (const table of FORGOTTEN_TABLES) {
      const [row] = yield* sql<{ readonly rows: bigint }>`select count(*) as rows from ${sql(table)}`
      forgotten.push({ table, rows: row!.rows })
    }
    yield* sql`truncate ${sql.literal(FORGOTTEN_TABLES.join(", "))}`
    yield* sql`
      update indexer_progress set genesis_hash = null, network = null, module_hash = null, is_rebuild_due = false, log_offset = 0,
        slot = null, checked_offset = 0, pools_checked_offset = null`
    yield* rebuildSchema(sql).dropAll
    yield* prunedSlots(sql).forget
    yield* oldTrades(sql).keepAll
    yield* tradingWindowStatements(sql).startOver
    yield* historyStatements(sql).sendAgain
    yield* changes.skip(new Date(yield* Clock.currentTimeMillis))
    yield* changes.forgetEarlier
    return forgotten
  }).pipe(sql.withTransaction)
})
