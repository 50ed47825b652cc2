import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { DatabaseChanges } from "../modules/DatabaseChanges.ts"
import type { EventRow } from "../modules/EventRow.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import type { TradeRow } from "../modules/TradeRow.ts"
import { candleStatements, type TouchedMinute } from "./CandleStatements.ts"
import { claimStatements } from "./ClaimStatements.ts"
import { changesOfEvents } from "./EmittedChanges.ts"
import { inboxStatements, type LogEntry } from "./InboxStatements.ts"
import { poolStatements, touchedBy } from "./PoolStatements.ts"
import type { PreparedBatch } from "./PreparedBatch.ts"
import { tradeStatements } from "./TradeStatements.ts"
import { tradingWindowStatements } from "./TradingWindows.ts"

/** What a batch changed. */
export interface Folded {
  readonly trades: ReadonlyArray<TradeRow>
  readonly events: ReadonlyArray<EventRow>
  readonly deadLetters: number
  /** Emitted for its events. */
  readonly emitted: ReadonlyArray<ChainChange>
}

/** Writes the facts of a batch and their folds into the tables of the search path. Within a transaction. */
export type Fold = (batch: PreparedBatch) => Effect.Effect<Folded, SqlError>

/**
 * Folds in the database transaction that `within` opens. If PostgreSQL rejects a batch, it is retried one transaction at a time and the
 * failures are dead-lettered.
 */
export const foldInto = (sql: SqlClient) => {
  const pools = poolStatements(sql)
  const trades = tradeStatements(sql)
  const claims = claimStatements(sql)
  const candles = candleStatements(sql)
  const inbox = inboxStatements(sql)
  const windows = tradingWindowStatements(sql)

  const insertTrades = Effect.fnUntraced(function* ({ candles: folds, trades: rows }: DatabaseChanges) {
    if (rows.length === 0) return
    const inserted = yield* trades.insert(rows, folds)
    if (inserted === rows.length) return
    // Some were already there, as after `refetch`, so the merge counted them twice, and the windows would.
    yield* Effect.logWarning(`${rows.length - inserted} trades of a batch already existed`)
    yield* candles.recompute(minutesOf(rows))
    yield* windows.startOver
  })

  const insertEvents = Effect.fnUntraced(function* ({ events: rows }: DatabaseChanges) {
    if (rows.length === 0) return []
    const touched = touchedBy(rows)
    yield* pools.insertEvents(rows, touched)
    return changesOfEvents(rows, yield* pools.derive(touched))
  })

  const deadLetter = (letters: ReadonlyArray<LogEntry & { readonly reason: string }>) =>
    letters.length === 0 ? Effect.void : inbox.insertDeadLetters(letters, MODULE_HASH)

  const whole: Fold = Effect.fnUntraced(function* (batch) {
    const { changes } = batch
    yield* insertTrades(changes)
    const emitted = yield* insertEvents(changes)
    if (changes.claims.length > 0) yield* claims.insert(changes.claims)
    yield* deadLetter(changes.undecodable.map(({ index, reason }) => ({ ...batch.entry(index), reason })))
    return { trades: changes.trades, events: changes.events, deadLetters: changes.undecodable.length, emitted }
  })

  const oneByOne: Fold = Effect.fnUntraced(function* (batch) {
    let folded: Folded = { trades: [], events: [], deadLetters: 0, emitted: [] }
    for (const one of batch.each()) {
      const result = yield* Effect.result(sql.withTransaction(whole(one)))
      if (result._tag === "Success") folded = joined(folded, result.success)
      else if (isTransient(result.failure)) return yield* Effect.fail(result.failure)
      else {
        yield* deadLetter([{ ...one.entry(0), reason: "the database refuses it" }])
        folded = { ...folded, deadLetters: folded.deadLetters + 1 }
      }
    }
    return folded
  })

  return <A, E>(within: (fold: Fold) => Effect.Effect<A, E | SqlError>): Effect.Effect<A, E | SqlError> =>
    Effect.catchIf(
      within(whole),
      (error): error is Extract<E | SqlError, SqlError> => isSqlError(error) && !isTransient(error),
      (error) =>
        Effect.andThen(
          Effect.logError("PostgreSQL rejected a batch: its transactions are retried one by one", error),
          within(oneByOne),
        ),
    )
}

const joined = (left: Folded, right: Folded): Folded => ({
  trades: [...left.trades, ...right.trades],
  events: [...left.events, ...right.events],
  deadLetters: left.deadLetters + right.deadLetters,
  emitted: [...left.emitted, ...right.emitted],
})

/** Faults of the connection or of concurrency, which say nothing about the rows. */
const TRANSIENT: ReadonlySet<string> = new Set([
  ...["ConnectionError", "AuthenticationError", "AuthorizationError"],
  ...["DeadlockError", "SerializationError", "LockTimeoutError", "StatementTimeoutError"],
])

const isTransient = ({ reason }: SqlError): boolean => TRANSIENT.has(reason._tag)

const minutesOf = (rows: DatabaseChanges["trades"]): ReadonlyArray<TouchedMinute> => {
  const minutes = rows.map(({ baseMint, blockTime }) => [baseMint, blockTime - (blockTime % 60)] as const)
  return [...new Map(minutes.map((minute) => [minute.join(" "), minute])).values()].map(([baseMint, seconds]) => ({
    baseMint,
    minute: new Date(seconds * 1000),
  }))
}
