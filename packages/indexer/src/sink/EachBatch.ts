import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { IngestLog } from "../inbox/IngestLog.ts"
import { PreparedBatch } from "./PreparedBatch.ts"

/** Enough that a commit costs little, few enough that memory stays flat. */
const BATCH_TRANSACTIONS = 4_000

export interface BatchOptions {
  /** The last offset that is read; by default the end of the log. */
  readonly upTo?: Effect.Effect<bigint, SqlError>
  readonly transactions?: number
}

/** The log after an offset, about so many transactions; `undefined` at its end. */
export const nextBatch = Effect.fnUntraced(function* (
  log: IngestLog["Service"],
  after: bigint,
  { transactions = BATCH_TRANSACTIONS, upTo }: BatchOptions = {},
) {
  const segments = yield* log.readAfter(after, transactions)
  const last = upTo === undefined ? undefined : yield* upTo
  const wanted = last === undefined ? segments : segments.filter(({ logOffset }) => logOffset <= last)
  return wanted.length === 0 ? undefined : yield* PreparedBatch.of(wanted)
})

/**
 * Folds the log after an offset, batch by batch: while one is written, the next is read and decoded. Returns the offset of the end.
 */
export const eachBatch = <E>(
  log: IngestLog["Service"],
  start: bigint,
  fold: (batch: PreparedBatch, previous: bigint) => Effect.Effect<void, E>,
  options?: BatchOptions,
): Effect.Effect<bigint, E | SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      let cursor = start
      let batch = yield* nextBatch(log, cursor, options)
      while (batch !== undefined) {
        const ahead = batch.isNewest ? undefined : yield* Effect.forkScoped(nextBatch(log, batch.logOffset, options))
        yield* fold(batch, cursor)
        cursor = batch.logOffset
        batch = ahead && (yield* Fiber.join(ahead))
      }
      return cursor
    }),
  )
