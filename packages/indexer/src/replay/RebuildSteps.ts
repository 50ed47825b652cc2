import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IngestLog, type LogEntry } from "../inbox/IngestLog.ts"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { type BatchOptions, eachBatch, nextBatch } from "../sink/EachBatch.ts"
import { foldInto } from "../sink/FoldInto.ts"
import { inboxStatements } from "../sink/InboxStatements.ts"
import type { PreparedBatch } from "../sink/PreparedBatch.ts"
import { REBUILD_SCHEMA, rebuildSchema } from "../sink/RebuildSchema.ts"
import { CursorMoved } from "../sink/Sink.ts"
import { digestOf } from "./Digest.ts"
import { copyFacts } from "./CopyFacts.ts"
import type { ReplayProgress } from "./ReplayProgress.ts"
import { RebuildOutdated, swapTables } from "./SwapTables.ts"

/** Digesting a table of millions of rows exceeds the timeout of requests. */
const STATEMENT_TIMEOUT = "30min"

/** Told how far it is. A failure ends the replay, and the live tables stay. */
export type OnProgress<E> = (progress: ReplayProgress) => Effect.Effect<void, E>

/**
 * The steps of a replay that was begun. Every transaction holds the lease, so following and reverting take turns with it; what is rebuilt
 * never passes what serves.
 */
export const rebuildSteps = Effect.fnUntraced(function* <E>(
  fence: Fence,
  onProgress: OnProgress<E>,
  batchTransactions?: number,
) {
  const sql = yield* SqlClient
  const log = yield* IngestLog
  const lease = leaseStatements(sql)
  const schema = rebuildSchema(sql)
  const inbox = inboxStatements(sql)
  const foldBatch = foldInto(sql)
  const pruned = yield* prunedSlots(sql).read

  /** A server that was promoted may lack them. */
  const progress = Effect.flatMap(schema.progress, (found) =>
    found === undefined ? Effect.fail(new RebuildOutdated({ reason: "they are gone" })) : Effect.succeed(found),
  )
  /** Up to which the log is in the live tables. */
  const liveOffset = Effect.map(inbox.standing([]), ({ cursor }) => cursor)
  const batches: BatchOptions = {
    upTo: liveOffset,
    ...(batchTransactions !== undefined && { transactions: batchTransactions }),
  }

  const tell = Effect.fnUntraced(function* (state: ReplayProgress["state"], copiedSlot?: bigint) {
    const { logOffset, transactions } = yield* progress
    const known = { state, logOffset, transactions: Number(transactions), headOffset: yield* liveOffset }
    yield* onProgress(copiedSlot === undefined ? known : { ...known, copiedSlot })
  })

  const held = <A, E2>(work: Effect.Effect<A, E2>) =>
    Effect.gen(function* () {
      yield* lease.hold(fence)
      yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
      const result = yield* work
      yield* lease.extend(fence)
      return result
    }).pipe(sql.withTransaction)

  /** What the copied facts are of; a dead letter has none. */
  const copiedOf = Effect.fnUntraced(function* (batch: PreparedBatch) {
    const entries = pruned === undefined ? [] : batch.entriesIn(pruned)
    if (entries.length === 0) return []
    const dead = new Set((yield* inbox.deadLettersIn(batch.offsets)).map(placeOf))
    return entries.filter((entry) => !dead.has(placeOf(entry)))
  })

  const foldOne = (batch: PreparedBatch, previous: bigint) =>
    foldBatch((fold) =>
      held(
        schema.within(
          Effect.gen(function* () {
            const { logOffset: found } = yield* progress
            if (found !== previous) return yield* new CursorMoved({ expected: previous, found })
            const { dropped } = yield* inbox.standing(batch.offsets)
            yield* fold(batch.without([...dropped, ...(yield* copiedOf(batch))]))
            const { lastSlot: slot, logOffset, transactions } = batch
            yield* schema.folded({ slot, logOffset, transactions: BigInt(transactions) })
          }),
        ),
      ),
    )

  /** Within a transaction: the live tables stay where they are, and what they are ahead is folded. */
  const foldRest = Effect.gen(function* () {
    yield* lease.hold(fence)
    for (;;) {
      const { logOffset } = yield* progress
      const batch = yield* nextBatch(log, logOffset, batches)
      if (batch === undefined) return
      yield* foldOne(batch, logOffset)
    }
  })

  /** Reads both tables as they were when both were at one offset. */
  const atOneOffset = <A, E2>(reading: Effect.Effect<A, E2>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const session = yield* sql.reserve
        const ask = (statement: string) => session.executeRaw(statement, [])
        yield* ask("begin isolation level repeatable read read only")
        yield* Effect.addFinalizer(() => Effect.ignore(ask("rollback")))
        yield* ask(`set local statement_timeout = '${STATEMENT_TIMEOUT}'`)
        // While the lease is held nobody writes to either, and the first statement of the session sees what was committed before.
        let isTaken = false
        while (!isTaken) {
          yield* held(foldRest)
          isTaken = yield* held(
            Effect.gen(function* () {
              if ((yield* progress).logOffset !== (yield* liveOffset)) return false
              yield* ask("select 1")
              return true
            }),
          )
        }
        return yield* Effect.provideService(reading, sql.transactionService, [session, 0])
      }),
    )

  return {
    /** Copies the facts of deleted slots, and folds the log until what is rebuilt is where the live tables are. */
    derive: Effect.gen(function* () {
      if (pruned !== undefined)
        yield* copyFacts(
          sql,
          pruned,
          (work) => held(schema.within(work)),
          (slot) => tell("copying", slot),
          batchTransactions,
        )
      yield* tell("deriving")
      const { logOffset } = yield* progress
      yield* eachBatch(
        log,
        logOffset,
        (batch, previous) => Effect.andThen(foldOne(batch, previous), tell("deriving")),
        batches,
      )
    }),

    /** Digests of the live tables and of the rebuilt ones, at the same offset. Following goes on meanwhile. */
    compare: Effect.gen(function* () {
      yield* tell("comparing")
      return yield* atOneOffset(Effect.all({ live: digestOf(sql), rebuilt: digestOf(sql, REBUILD_SCHEMA) }))
    }),

    /** Returns how many transactions the tables were derived from. */
    swap: Effect.gen(function* () {
      const { logOffset, transactions } = yield* swapTables(sql, Effect.andThen(foldRest, progress))
      yield* onProgress({ state: "done", transactions: Number(transactions), logOffset, headOffset: logOffset })
      return Number(transactions)
    }),
  }
})

const placeOf = ({ logOffset, position }: Pick<LogEntry, "logOffset" | "position">): string =>
  `${logOffset} ${position}`
