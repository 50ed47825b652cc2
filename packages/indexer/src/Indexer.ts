import { CommitNotices } from "@launch-registry/postgres/CommitNotices"
import { Clock, Context, Effect, Layer } from "effect"
import { IngestLog } from "./inbox/IngestLog.ts"
import type { Fence } from "./leader/Lease.ts"
import { eachBatch } from "./sink/EachBatch.ts"
import { Sink } from "./sink/Sink.ts"

/** Folded since the start. */
export interface Progress {
  readonly transactions: number
  readonly trades: number
  readonly logOffset: bigint
  /** Since 1970; of the last write. */
  readonly atMillis: number | undefined
}

/** How often the log is polled where its appends do not notify. */
const POLL_MILLIS = 100

/**
 * Folds the log into the tables, from the cursor on. The tables do not depend on the order of the log, so it is simply followed to its
 * end.
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
      const notices = yield* CommitNotices
      let progress: Progress = { transactions: 0, trades: 0, logOffset: 0n, atMillis: undefined }

      const foldFrom = (start: bigint, fence: Fence) =>
        eachBatch(log, start, (batch, previous) =>
          Effect.gen(function* () {
            const { trades } = yield* sink.write(batch, previous, fence)
            progress = {
              transactions: progress.transactions + batch.transactions,
              trades: progress.trades + trades,
              logOffset: batch.logOffset,
              atMillis: yield* Clock.currentTimeMillis,
            }
          }),
        )

      const catchUp = Effect.fn("Indexer.catchUp")(function* (fence: Fence) {
        yield* foldFrom(yield* sink.cursor, fence)
      })

      const follow = Effect.fn("Indexer.follow")(function* (fence: Fence) {
        let cursor = yield* sink.cursor
        const appended = notices.follow("log", POLL_MILLIS)
        while (true) {
          cursor = yield* foldFrom(cursor, fence)
          yield* appended
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
