import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"
import { closedLog } from "./ClosedLog.ts"
import { oldTrades } from "./OldTrades.ts"
import { prunedSlots } from "./PrunedSlots.ts"
import {
  LETTERS_BATCH,
  POISON_BATCH,
  retentionStatements,
  SEGMENTS_BATCH,
  TRANSACTIONS_BATCH,
} from "./RetentionStatements.ts"

/** How long what was received is kept; what is absent, for ever. */
export interface RetentionOptions {
  /** Transactions of the log, by the time of their blocks. */
  readonly inboxDays?: number | undefined
  /** Transactions that could not be decoded, by the time of their blocks, and deliveries that could not be read. */
  readonly deadLetterDays?: number | undefined
  /** Trades and minute candles in PostgreSQL, of which older ones are read from a history elsewhere. */
  readonly tradesDays?: number | undefined
}

const DAY_MILLIS = 86_400_000

const IS_NEEDED =
  "Old trades have left PostgreSQL, and a replay derives them from the log, so nothing of it is deleted: unset INBOX_KEEP_DAYS"

/** Whether {@link sweepInbox} ever deletes anything. */
export const isLimited = (options: RetentionOptions): boolean =>
  Object.entries(options).some(([name, value]) => name !== "tradesDays" && value !== undefined)

/**
 * Deletes what is older than is kept. Of the log only what can never change any more: transactions of slots that are
 * proven without a gap, for the program and every migrated pool, that are folded, and that were compared with the chain. From then on the log takes no transaction of
 * these slots, and a replay starts with the facts that they left. While tables are derived again from the log, nothing of it is deleted.
 */
export const sweepInbox = Effect.fn("sweepInbox")(function* (options: RetentionOptions, fence: Fence) {
  const sql = yield* SqlClient
  const pruned = prunedSlots(sql)
  const schema = rebuildSchema(sql)
  const statements = retentionStatements(sql)
  const { proven, settled: settledOffset } = closedLog(sql)
  const now = yield* Clock.currentTimeMillis
  const daysAgo = (days: number): Date => new Date(now - days * DAY_MILLIS)

  const held = transactionsUnder(sql, fence)

  /** Not while tables are derived again, which begins under the lease as well: `otherwise` then. */
  const unlessReplaying = <A, E, B, E2>(work: Effect.Effect<A, E>, otherwise: Effect.Effect<B, E2>) =>
    held(
      Effect.flatMap(schema.exists, (exists) =>
        Effect.suspend((): Effect.Effect<A | B, E | E2> => (exists ? otherwise : work)),
      ),
    )

  /** Batches until one is not full; returns how many rows they had. */
  const untilDone = Effect.fnUntraced(function* <E>(size: number, batch: Effect.Effect<number, E>) {
    let deleted = 0
    for (;;) {
      const rows = yield* unlessReplaying(batch, Effect.succeed(0))
      deleted += rows
      if (rows < size) return deleted
    }
  })

  /** The same in the order of slots: where one batch ends, the next begins. */
  const inOrder = <E>(
    range: SlotRange,
    size: number,
    batch: (next: bigint) => Effect.Effect<{ readonly rows: number; readonly slot: bigint | null }, E>,
  ) => {
    let next = range.fromSlot
    return untilDone(
      size,
      Effect.suspend(() =>
        Effect.map(batch(next), ({ rows, slot }) => {
          next = slot ?? next
          return rows
        }),
      ),
    )
  }

  /** First of all the log is closed to these slots: what is then deleted cannot come back. */
  const extend = (slot: bigint) =>
    unlessReplaying(
      Effect.gen(function* () {
        const range = yield* proven
        const before = yield* pruned.read
        if (range === undefined) return before
        const toSlot = slot < range.toSlot ? slot : range.toSlot
        if (toSlot < range.fromSlot || toSlot <= (before?.toSlot ?? -1n)) return before
        const after: SlotRange = { fromSlot: range.fromSlot, toSlot }
        yield* pruned.write(after)
        return after
      }),
      pruned.read,
    )

  const log = Effect.fnUntraced(function* (days: number) {
    if ((yield* oldTrades(sql).kept).keptFrom > 0n) return yield* Effect.logWarning(IS_NEEDED)
    const range = yield* proven
    if (range === undefined) return
    const slot = yield* statements.lastSlotBefore(range, daysAgo(days))
    const closed = slot === undefined ? yield* pruned.read : yield* extend(slot)
    if (closed === undefined) return
    const settled = yield* settledOffset
    const transactions = yield* inOrder(closed, TRANSACTIONS_BATCH, (next) =>
      statements.deleteTransactions(closed, next, settled),
    )
    const segments = yield* inOrder(closed, SEGMENTS_BATCH, (next) => statements.deleteSegments(closed, next, settled))
    if (transactions + segments > 0)
      yield* Effect.logInfo(
        `Deleted ${transactions} transactions and ${segments} segments: the log reaches back to slot ${closed.toSlot + 1n}`,
      )
  })

  const isReplaying = yield* schema.exists
  if (options.deadLetterDays !== undefined && !isReplaying) {
    const range = yield* proven
    const before = daysAgo(options.deadLetterDays)
    const toSlot = range === undefined ? undefined : yield* statements.lastSlotBefore(range, before)
    if (range !== undefined && toSlot !== undefined)
      yield* untilDone(
        LETTERS_BATCH,
        Effect.map(statements.deleteDeadLetters({ ...range, toSlot }), ({ length }) => length),
      )
  }
  if (options.inboxDays !== undefined && !isReplaying) yield* log(options.inboxDays)
  if (options.deadLetterDays !== undefined)
    yield* untilDone(
      POISON_BATCH,
      Effect.map(statements.deletePoison(daysAgo(options.deadLetterDays)), ({ length }) => length),
    )
})
