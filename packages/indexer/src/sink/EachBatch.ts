import { Effect, Fiber } from "effect"
import type { IngestLog, LogFault } from "../inbox/IngestLog.ts"
import { PreparedBatch } from "./PreparedBatch.ts"

/** Enough that a commit costs little, few enough that memory stays flat. */
const BATCH_TRANSACTIONS = 4_000

/**
 * Folds the log after an offset, batch by batch: while one is written, the next is read and decoded. Returns the offset of the end.
 */
export const eachBatch = <E>(
  log: IngestLog["Service"],
  start: bigint,
  fold: (batch: PreparedBatch, previous: bigint) => Effect.Effect<void, E>,
): Effect.Effect<bigint, E | LogFault> =>
  Effect.scoped(
    Effect.gen(function* () {
      const next = (after: bigint) =>
        Effect.flatMap(log.readAfter(after, BATCH_TRANSACTIONS), (segments) =>
          segments.length === 0 ? Effect.undefined : PreparedBatch.of(segments),
        )
      let cursor = start
      let batch = yield* next(cursor)
      while (batch !== undefined) {
        const ahead = yield* Effect.forkScoped(next(batch.logOffset))
        yield* fold(batch, cursor)
        cursor = batch.logOffset
        batch = yield* Fiber.join(ahead)
      }
      return cursor
    }),
  )
