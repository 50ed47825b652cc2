import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { changesOf, type DatabaseChanges, MANIFEST } from "../modules/DatabaseChanges.ts"
import { candleStatements } from "./CandleStatements.ts"
import { changesOfEvents } from "./ChangeFeed.ts"
import { inboxStatements } from "./InboxStatements.ts"
import { poolStatements, touchedBy } from "./PoolStatements.ts"
import type { PreparedBatch } from "./PreparedBatch.ts"
import { type TouchedMinute, tradeStatements } from "./TradeStatements.ts"

/** What a batch changed. */
export interface Folded {
  readonly changes: DatabaseChanges
  /** What is told of its events. */
  readonly told: ReadonlyArray<ChainChange>
}

/** Writes the facts of a batch and whatever rests on them, into the tables that the search path names. Within a transaction. */
export const foldInto = (sql: SqlClient) => {
  const pools = poolStatements(sql)
  const trades = tradeStatements(sql)
  const candles = candleStatements(sql)
  const inbox = inboxStatements(sql)

  const insertTrades = Effect.fnUntraced(function* ({ candles: folds, trades: rows }: DatabaseChanges) {
    if (rows.length === 0) return
    const inserted = yield* trades.insert(rows)
    yield* candles.merge(folds)
    if (inserted === rows.length) return
    // Some were there already, and the merge has counted them twice. The log does not give anything twice, so this is the way
    // out of what should not be: all that they touch is computed again.
    yield* Effect.logWarning(`${rows.length - inserted} trades of a batch were known already`)
    yield* candles.recompute(minutesOf(rows))
  })

  const insertEvents = Effect.fnUntraced(function* ({ events: rows }: DatabaseChanges) {
    if (rows.length === 0) return []
    yield* pools.insertEvents(rows)
    const touched = touchedBy(rows)
    yield* pools.refresh(touched)
    return changesOfEvents(rows, yield* pools.baseMintsOf(touched.pools))
  })

  return Effect.fnUntraced(function* (batch: PreparedBatch) {
    const dropped = yield* inbox.droppedOf(batch.offsets)
    const kept = dropped.length === 0 ? batch : batch.without(dropped)
    const changes = dropped.length === 0 ? batch.changes : changesOf({ ...kept, cursor: batch.logOffset })
    yield* insertTrades(changes)
    const told = yield* insertEvents(changes)
    const letters = changes.undecodable.map(({ index, reason }) => ({ ...kept.entries[index]!, reason }))
    if (letters.length > 0) yield* inbox.insertDeadLetters(letters, MANIFEST.hash)
    return { changes, told } satisfies Folded as Folded
  })
}

const minutesOf = (rows: DatabaseChanges["trades"]): ReadonlyArray<TouchedMinute> => {
  const minutes = rows.map(({ baseMint, blockTime }) => [baseMint, blockTime - (blockTime % 60)] as const)
  return [...new Map(minutes.map((minute) => [minute.join(" "), minute])).values()].map(([baseMint, seconds]) => ({
    baseMint,
    minute: new Date(seconds * 1000),
  }))
}
