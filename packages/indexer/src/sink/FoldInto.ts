import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { EventRow, TradeRow } from "../modules/FactRows.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import { foldsOf } from "./Folds.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { inboxStatements } from "./InboxStatements.ts"
import type { PreparedBatch } from "./PreparedBatch.ts"

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
  const folds = foldsOf(sql)
  const inbox = inboxStatements(sql)

  const deadLetter = (letters: ReadonlyArray<LogEntry & { readonly reason: string }>) =>
    letters.length === 0 ? Effect.void : inbox.insertDeadLetters(letters, MODULE_HASH)

  const whole: Fold = Effect.fnUntraced(function* (batch) {
    const { changes } = batch
    const emitted = (yield* Effect.forEach(folds, ({ insert }) => insert(changes))).flat()
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
