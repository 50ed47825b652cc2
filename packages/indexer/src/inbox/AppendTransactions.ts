import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Appended, IngestLog, type SourceName } from "./IngestLog.ts"
import { keyOf } from "./ReadBody.ts"

/** Appends transactions that are at hand as values. What has no slot and signature is kept apart, as in a delivery. */
export const appendTransactions = (
  source: SourceName,
  transactions: ReadonlyArray<unknown>,
): Effect.Effect<Appended, SqlError, IngestLog> =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const read = transactions.map((transaction) => ({ transaction, key: keyOf(transaction) }))
    return yield* log.append({
      source,
      bodies: [Buffer.from(JSON.stringify(transactions))],
      keys: read.flatMap(({ key }, position) => (typeof key === "string" ? [] : [{ ...key, position }])),
      unreadable: read.flatMap(({ key, transaction }) =>
        typeof key === "string" ? [{ reason: key, text: JSON.stringify(transaction) }] : [],
      ),
    })
  })
