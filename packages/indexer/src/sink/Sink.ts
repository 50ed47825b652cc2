import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Fence, type LeaseLost, leaseStatements } from "../leader/Lease.ts"
import type { Facts } from "../modules/DatabaseChanges.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"
import {
  changesOfLiquidity,
  changesOfReverted,
  changesOfTrades,
  changeStatements,
  liveLiquidity,
} from "./EmittedChanges.ts"
import { foldInto } from "./FoldInto.ts"
import { foldsOf } from "./Folds.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { poolStatements } from "./PoolStatements.ts"
import { inboxStatements } from "./InboxStatements.ts"
import type { PreparedBatch } from "./PreparedBatch.ts"
import { rebuildSchema } from "./RebuildSchema.ts"

/** The log was read from another offset than the tables are at: writing would repeat or skip what lies between. */
export class CursorMoved extends Schema.TaggedError<CursorMoved>()("CursorMoved", {
  expected: Schema.BigInt,
  found: Schema.BigInt,
}) {}

/** What a write ended with. */
export interface Written {
  readonly trades: number
  readonly events: number
  readonly deadLetters: number
}

/**
 * Writes what transactions change. Rows, emitted changes and the cursor are committed together and under the lease of the leader, so a
 * crash loses nothing and repeats nothing. Trades and events are facts that stand as long as their transaction does; all other tables are
 * folds of them, so reverting a transaction needs no record of what it overwrote.
 */
export class Sink extends Context.Service<
  Sink,
  {
    /** Offset up to which the log is in the tables; 0 when nothing is. */
    readonly cursor: Effect.Effect<bigint, SqlError>
    readonly write: (
      batch: PreparedBatch,
      previous: bigint,
      fence: Fence,
    ) => Effect.Effect<Written, CursorMoved | LeaseLost | SqlError>
    /** Reverts transactions that are not on the chain, or not as they were delivered. They stay in the log and are skipped from now on. */
    readonly drop: (
      entries: ReadonlyArray<LogEntry>,
      reason: string,
      fence: Fence,
    ) => Effect.Effect<void, LeaseLost | SqlError>
    /** Deletes what the tables have of transactions that are not in the log. */
    readonly clear: (
      transactions: ReadonlyArray<Pick<LogEntry, "slot" | "signature">>,
      fence: Fence,
    ) => Effect.Effect<void, LeaseLost | SqlError>
    /** Computes again what these facts are folded into, where rows had been deleted or changed beside the sink. */
    readonly refold: (facts: Facts, fence: Fence) => Effect.Effect<void, LeaseLost | SqlError>
  }
>()("@launch-registry/indexer/sink/Sink") {
  static readonly layer = Layer.effect(
    Sink,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lease = leaseStatements(sql)
      const folds = foldsOf(sql)
      const feed = changeStatements(sql)
      const inbox = inboxStatements(sql)
      const schema = rebuildSchema(sql)
      const foldBatch = foldInto(sql)
      const { tokensOfMigrated } = poolStatements(sql)

      const cursor = Effect.map(
        sql<{ readonly logOffset: bigint }>`select log_offset from indexer_progress where module_hash = ${MODULE_HASH}`,
        ([row]) => row?.logOffset ?? 0n,
      )

      const moveCursor = (
        { lastSlot, logOffset }: PreparedBatch,
        emitted: ReadonlyArray<ChainChange>,
        now: Date,
      ) => sql`
        ${emitted.length === 0 ? sql.literal("") : sql`with emitted as (${feed.append(emitted, now)})`}
        update indexer_progress set module_hash = ${MODULE_HASH}, log_offset = ${logOffset},
          slot = greatest(slot, ${lastSlot}::bigint)`

      const write = Effect.fn("Sink.write", { kind: "consumer", root: true })(
        (batch: PreparedBatch, previous: bigint, fence: Fence) =>
          foldBatch((fold) =>
            Effect.gen(function* () {
              // First and alone, so that the next statement sees what other writers committed.
              yield* lease.hold(fence)
              const { cursor: found, dropped } = yield* inbox.standing(batch.offsets)
              if (found !== previous) return yield* new CursorMoved({ expected: previous, found })
              const { deadLetters, emitted, events, trades: rows } = yield* fold(batch.without(dropped))
              const now = yield* Clock.currentTimeMillis
              const moved = liveLiquidity(events, now / 1000)
              const unnamed = moved.filter(({ facts }) => facts.baseMint === null).map(({ facts }) => facts.pool)
              const liquidity = changesOfLiquidity(moved, yield* tokensOfMigrated(unnamed))
              const all = [...emitted, ...changesOfTrades(rows, now / 1000), ...liquidity]
              yield* moveCursor(batch, all, new Date(now))
              return { trades: rows.length, events: events.length, deadLetters }
            }).pipe(
              sql.withTransaction,
              Effect.tap(() =>
                Effect.annotateCurrentSpan({
                  "launch_registry.transactions": batch.transactions,
                  "launch_registry.log_offset": batch.logOffset,
                }),
              ),
            ),
          ),
      )

      /** Deletes their facts and recomputes the folds of them; returns the deleted events. */
      const revertFacts = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>) {
        const events = yield* Effect.forEach(folds, ({ revert }) => revert(entries))
        yield* inbox.deleteDeadLetters(entries)
        return events.flat()
      })

      const revert = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>) {
        const events = yield* revertFacts(entries)
        yield* schema.alsoRevert(entries, revertFacts)
        const now = new Date(yield* Clock.currentTimeMillis)
        const emitted = changesOfReverted(entries, events)
        if (emitted.length > 0) yield* feed.append(emitted, now)
      })

      const drop = Effect.fn("Sink.drop")((entries: ReadonlyArray<LogEntry>, reason: string, fence: Fence) =>
        Effect.gen(function* () {
          yield* lease.hold(fence)
          yield* inbox.markDropped(entries, reason, new Date(yield* Clock.currentTimeMillis))
          yield* revert(entries)
        }).pipe(sql.withTransaction),
      )

      const clear = Effect.fn("Sink.clear")(
        (transactions: ReadonlyArray<Pick<LogEntry, "slot" | "signature">>, fence: Fence) =>
          Effect.gen(function* () {
            yield* lease.hold(fence)
            yield* revert(transactions.map(({ signature, slot }) => ({ slot, signature, logOffset: 0n, position: 0 })))
          }).pipe(sql.withTransaction),
      )

      const refold = Effect.fn("Sink.refold")((facts: Facts, fence: Fence) =>
        Effect.gen(function* () {
          yield* lease.hold(fence)
          yield* Effect.forEach(folds, ({ refold }) => refold(facts), { discard: true })
        }).pipe(sql.withTransaction),
      )

      return Sink.of({ cursor, write, drop, clear, refold })
    }),
  )
}
