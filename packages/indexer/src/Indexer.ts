import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { IngestLog } from "./inbox/IngestLog.ts"
import type { Fence } from "./leader/Lease.ts"
import { PreparedBatch } from "./sink/PreparedBatch.ts"
import { Sink } from "./sink/Sink.ts"

/** What was folded since the start. */
export interface Progress {
  readonly transactions: number
  readonly trades: number
  readonly logOffset: bigint
  /** Since 1970; of the last write. */
  readonly atMillis: number | undefined
}

/** How much is folded at once: enough that a commit costs little, little enough that memory stays flat. */
const BATCH_TRANSACTIONS = 2_000
/** How long an empty log is left alone. */
const IDLE_MILLIS = 100

/**
 * Folds the log into the tables, from the cursor on. Whatever order things were received in gives the same tables, so the log
 * is simply followed to its end; the next batch is read and decoded while one is being committed.
 */
export class Indexer extends Context.Service<
  Indexer,
  {
    /** Until the end of the log. */
    readonly catchUp: (fence: Fence) => Effect.Effect<void, unknown>
    /** Follows the log as it grows. */
    readonly follow: (fence: Fence) => Effect.Effect<never, unknown>
    readonly progress: Effect.Effect<Progress>
  }
>()("@launch-registry/indexer/Indexer") {
  static readonly layer = Layer.effect(
    Indexer,
    Effect.gen(function* () {
      const log = yield* IngestLog
      const sink = yield* Sink
      let progress: Progress = { transactions: 0, trades: 0, logOffset: 0n, atMillis: undefined }

      const next = (after: bigint) =>
        Effect.flatMap(log.readAfter(after, BATCH_TRANSACTIONS), (segments) =>
          segments.length === 0 ? Effect.undefined : PreparedBatch.of(segments),
        )

      /** Ends with the offset of the end. */
      const foldFrom = (start: bigint, fence: Fence) =>
        Effect.scoped(
          Effect.gen(function* () {
            let cursor = start
            let batch = yield* next(cursor)
            while (batch !== undefined) {
              const ahead = yield* Effect.forkScoped(next(batch.logOffset))
              const written = yield* sink.write(batch, cursor, fence)
              cursor = batch.logOffset
              progress = {
                transactions: progress.transactions + batch.entries.length,
                trades: progress.trades + written.trades,
                logOffset: cursor,
                atMillis: yield* Clock.currentTimeMillis,
              }
              batch = yield* Fiber.join(ahead)
            }
            return cursor
          }),
        )

      const catchUp = Effect.fn("Indexer.catchUp")(function* (fence: Fence) {
        yield* foldFrom(yield* sink.cursor, fence)
      })

      const follow = Effect.fn("Indexer.follow")(function* (fence: Fence) {
        let cursor = yield* sink.cursor
        while (true) {
          cursor = yield* foldFrom(cursor, fence)
          yield* Effect.sleep(IDLE_MILLIS)
        }
      })

      return Indexer.of({
        catchUp,
        follow: follow as Indexer["Service"]["follow"],
        progress: Effect.sync(() => progress),
      })
    }),
  )
}
