import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { foldCandles } from "../modules/CandleFold.ts"
import type { DatabaseChanges, Facts } from "../modules/DatabaseChanges.ts"
import { candleStatements, type TouchedMinute } from "./CandleStatements.ts"
import { deleteFacts, FACT_TABLES, type FactTable, insertFacts } from "./FactTables.ts"
import { changesOfEvents } from "./EmittedChanges.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { poolStatements, type RevertedEvent, touchedBy } from "./PoolStatements.ts"
import { tradeStatements } from "./TradeStatements.ts"
import { tradingWindowStatements } from "./TradingWindows.ts"

/** How the facts of one table are written, with what is folded of them. Within a transaction; names are those of the search path. */
export interface Fold {
  /** Inserts the facts of a batch and folds them; returns what is emitted. */
  readonly insert: (changes: DatabaseChanges) => Effect.Effect<ReadonlyArray<ChainChange>, SqlError>
  /** Deletes the facts of transactions and what was folded of them; returns the deleted events. */
  readonly revert: (entries: ReadonlyArray<LogEntry>) => Effect.Effect<ReadonlyArray<RevertedEvent>, SqlError>
  /** Folds facts that are there, from one ordinal up to before another, and were not folded. */
  readonly add: (first: bigint, beyond: bigint) => Effect.Effect<unknown, SqlError>
  /** Folds again what these facts are part of, where rows were deleted or changed beside the sink. */
  readonly refold: (facts: Facts) => Effect.Effect<unknown, SqlError>
}

const tradesFold = (sql: SqlClient): Fold => {
  const trades = tradeStatements(sql)
  const candles = candleStatements(sql)
  const { startOver } = tradingWindowStatements(sql)
  return {
    insert: Effect.fnUntraced(function* ({ trades: rows }) {
      if (rows.length === 0) return []
      const inserted = yield* trades.insert(rows, foldCandles(rows))
      if (inserted === rows.length) return []
      // Some were already there, as after `refetch`, so the merge counted them twice, and the windows would.
      yield* Effect.logWarning(`${rows.length - inserted} trades of a batch already existed`)
      yield* candles.recompute(minutesOf(rows))
      yield* startOver
      return []
    }),
    revert: Effect.fnUntraced(function* (entries) {
      const touched = yield* trades.deleteOf(entries)
      if (touched.length === 0) return []
      yield* candles.recompute(touched)
      yield* startOver
      return []
    }),
    add: candles.mergeTradesOf,
    refold: ({ trades: rows }) => candles.recompute(minutesOf(rows)),
  }
}

const minutesOf = (rows: DatabaseChanges["trades"]): ReadonlyArray<TouchedMinute> => {
  const minutes = rows.map(({ baseMint, blockTime }) => [baseMint, blockTime - (blockTime % 60)] as const)
  return [...new Map(minutes.map((minute) => [minute.join(" "), minute])).values()].map(([baseMint, seconds]) => ({
    baseMint,
    minute: new Date(seconds * 1000),
  }))
}

const eventsFold = (sql: SqlClient): Fold => {
  const pools = poolStatements(sql)
  return {
    insert: Effect.fnUntraced(function* ({ events: rows }) {
      if (rows.length === 0) return []
      const touched = touchedBy(rows)
      yield* pools.insertEvents(rows, touched)
      return changesOfEvents(rows, yield* pools.derive(touched))
    }),
    revert: Effect.fnUntraced(function* (entries) {
      const events = yield* pools.deleteEvents(entries)
      yield* pools.refresh(touchedBy(events))
      return events
    }),
    add: pools.refreshBetween,
    refold: ({ events }) => pools.refresh(touchedBy(events)),
  }
}

/** Nothing is folded of claims: they are summed where they are read. */
const claimsFold = (sql: SqlClient): Fold => ({
  insert: ({ claims }) =>
    claims.length === 0 ? Effect.succeed([]) : Effect.as(insertFacts(sql, "fee_claims", claims), []),
  revert: (entries) => Effect.as(deleteFacts(sql, "fee_claims", entries), []),
  add: () => Effect.void,
  refold: () => Effect.void,
})

/** The one list of what is derived: whatever inserts, reverts, copies or repairs facts goes through it. */
export const foldsOf = (sql: SqlClient) => {
  const folds: Readonly<Record<FactTable, Fold>> = {
    trades: tradesFold(sql),
    dbc_events: eventsFold(sql),
    fee_claims: claimsFold(sql),
  }
  return FACT_TABLES.map((table) => ({ table, ...folds[table] }))
}
