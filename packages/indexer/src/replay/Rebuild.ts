import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Indexer } from "../Indexer.ts"
import type { Fence } from "../leader/Lease.ts"
import { beginReplay, isRebuildDue } from "./BeginReplay.ts"
import type { TableDigest } from "./Digest.ts"
import { reportReplay } from "./ReplayProgress.ts"
import { type OnProgress, replaySteps } from "./ReplaySteps.ts"
import { CursorMoved } from "../sink/Sink.ts"
import { ShadowOutdated } from "./SwitchTables.ts"

/** The result of a replay, and the tables it replaced. */
export interface Replayed {
  readonly transactions: number
  readonly live: ReadonlyArray<TableDigest>
  readonly rebuilt: ReadonlyArray<TableDigest>
}

export interface ReplayOptions {
  /** Takes over facts that other modules derived, of slots that were deleted from the log. */
  readonly keepsFacts?: boolean
  /** Transactions that are folded at once. */
  readonly batchTransactions?: number
}

/** Goes on from where the shadow tables are, or begins again, when they are not where they were: a migration, or a failover of the database. */
const untilSwitched = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.retry(work, { while: (error) => error instanceof ShadowOutdated || error instanceof CursorMoved })

/**
 * Derives all tables that the log is folded into again, next to the live ones, compares both, and switches to them. The live tables may be
 * followed meanwhile. What an earlier run left is gone on with. Of slots that were deleted from the log, the facts are taken over from the live
 * tables; refused when other modules derived them, unless `keepsFacts`.
 */
export const replay = Effect.fn("replay")(function* <E = never>(
  fence: Fence,
  onProgress: OnProgress<E> = () => Effect.void,
  { batchTransactions, keepsFacts }: ReplayOptions = {},
) {
  const attempt = Effect.gen(function* () {
    yield* beginReplay(fence, keepsFacts)
    const steps = yield* replaySteps(fence, onProgress, batchTransactions)
    yield* steps.derive
    const digests = yield* steps.compare
    const transactions = yield* steps.switch
    return { transactions, ...digests } satisfies Replayed as Replayed
  })
  return yield* untilSwitched(attempt)
})

/** The same without a comparison, and only where it is due. Reported as it goes. */
export const rebuild = Effect.fn("rebuild")(function* <E = never>(
  fence: Fence,
  onProgress: OnProgress<E> = () => Effect.void,
  { batchTransactions, keepsFacts }: ReplayOptions = {},
) {
  if (!(yield* isRebuildDue)) return
  yield* Effect.logInfo("Deriving all tables again from the log: the modules have changed")
  const report = yield* reportReplay(yield* SqlClient)
  const tell: OnProgress<E> = (progress) => Effect.andThen(report(progress), onProgress(progress))
  const attempt = Effect.gen(function* () {
    yield* beginReplay(fence, keepsFacts)
    const steps = yield* replaySteps(fence, tell, batchTransactions)
    yield* steps.derive
    return yield* steps.switch
  })
  yield* Effect.logInfo(`Derived all tables again from ${yield* untilSwitched(attempt)} transactions`)
})

/** Folds what the log has; tables of other modules are left to a rebuild. */
export const catchUpOwn = Effect.fn("catchUpOwn")(function* (fence: Fence) {
  const indexer = yield* Indexer
  if (!(yield* isRebuildDue)) yield* indexer.catchUp(fence)
})
