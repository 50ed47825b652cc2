import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Indexer } from "../Indexer.ts"
import type { Fence } from "../leader/Lease.ts"
import { beginRebuild, isRebuildDue } from "./BeginRebuild.ts"
import type { TableDigest } from "./Digest.ts"
import { reportReplay } from "./ReplayProgress.ts"
import { type OnProgress, rebuildSteps } from "./RebuildSteps.ts"
import { CursorMoved } from "../sink/Sink.ts"
import { RebuildOutdated } from "./SwapTables.ts"

/** The result of a replay, and the tables it replaced. */
export interface Replayed {
  readonly transactions: number
  readonly live: ReadonlyArray<TableDigest>
  readonly rebuilt: ReadonlyArray<TableDigest>
}

export interface ReplayOptions {
  /** Transactions that are folded, or facts that are copied, at once. */
  readonly batchTransactions?: number
}

/** Goes on from where the rebuilt tables are, or begins again, when they are not where they were: a migration, or a failover of the database. */
const untilSwapped = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.retry(work, { while: (error) => error instanceof RebuildOutdated || error instanceof CursorMoved })

/**
 * Derives all tables that the log is folded into again, in another schema, compares both, and swaps them. The tables that serve may be
 * followed meanwhile. What an earlier run left is gone on with. The facts of slots that were deleted from the log are copied as they are.
 */
export const replay = Effect.fn("replay")(function* <E = never>(
  fence: Fence,
  onProgress: OnProgress<E> = () => Effect.void,
  { batchTransactions }: ReplayOptions = {},
) {
  const attempt = Effect.gen(function* () {
    yield* beginRebuild(fence)
    const steps = yield* rebuildSteps(fence, onProgress, batchTransactions)
    yield* steps.derive
    const digests = yield* steps.compare
    const transactions = yield* steps.swap
    return { transactions, ...digests } satisfies Replayed as Replayed
  })
  return yield* untilSwapped(attempt)
})

/** The same without a comparison, and only where it is due. Reported as it goes. */
export const rebuild = Effect.fn("rebuild")(function* <E = never>(
  fence: Fence,
  onProgress: OnProgress<E> = () => Effect.void,
  { batchTransactions }: ReplayOptions = {},
) {
  if (!(yield* isRebuildDue)) return
  yield* Effect.logInfo("Deriving all tables again from the log: the modules have changed")
  const report = yield* reportReplay(yield* SqlClient)
  const tell: OnProgress<E> = (progress) => Effect.andThen(report(progress), onProgress(progress))
  const attempt = Effect.gen(function* () {
    yield* beginRebuild(fence)
    const steps = yield* rebuildSteps(fence, tell, batchTransactions)
    yield* steps.derive
    return yield* steps.swap
  })
  yield* Effect.logInfo(`Derived all tables again from ${yield* untilSwapped(attempt)} transactions`)
})

/** Folds what the log has; tables of other modules are left to a rebuild. */
export const catchUpOwn = Effect.fn("catchUpOwn")(function* (fence: Fence) {
  const indexer = yield* Indexer
  if (!(yield* isRebuildDue)) yield* indexer.catchUp(fence)
})
