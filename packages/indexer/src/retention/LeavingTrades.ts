import { firstOrdinalOf, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"
import { closedLog } from "./ClosedLog.ts"
import { oldTrades } from "./OldTrades.ts"
import { prunedSlots } from "./PrunedSlots.ts"
import { TradesStay } from "./TradesStay.ts"

const [HOUR_MILLIS, DAY_MILLIS] = [3_600_000, 86_400_000]

/** Trades from one ordinal up to before another. */
export interface LeavingTrades {
  readonly from: bigint
  readonly beyond: bigint
}

/** Which trades leave PostgreSQL next, and how they do. */
export const leavingTrades = (sql: SqlClient, fence: Fence) => {
  const old = oldTrades(sql)
  const schema = rebuildSchema(sql)
  const log = closedLog(sql)
  const held = transactionsUnder(sql, fence)

  /** Nothing that the log has received of these slots waits to be compared, and no tables are derived again. */
  const isSettled = Effect.fnUntraced(function* (beyond: bigint) {
    return !(yield* schema.exists) && !(yield* log.hasUncomparedBelow(beyond, yield* log.compared))
  })

  return {
    /**
     * The trades of the oldest slots, a day's at once, if all of them are older than so many days, proven, and below an ordinal. The log is
     * closed to these slots: candles of hours cannot be computed again without them.
     */
    next: Effect.fn("leavingTrades")(function* (days: number, below: bigint, slots?: bigint) {
      const { keptFrom } = yield* old.kept
      const oldest = yield* old.oldestFrom(keptFrom)
      const proven = yield* log.proven
      if (oldest === undefined || proven === undefined || (yield* schema.exists)) return undefined
      const daySlots = BigInt(Math.round(DAY_MILLIS / (yield* reportStatements(sql).slotMillis)))
      const toSlot = slotOf(oldest) + (slots ?? daySlots)
      const beyond = firstOrdinalOf(toSlot)
      if (toSlot > proven.toSlot || beyond > below) return undefined
      const newest = yield* old.newestBefore(beyond)
      if (newest !== undefined && newest.getTime() >= (yield* Clock.currentTimeMillis) - days * DAY_MILLIS)
        return undefined
      if (oldest < firstOrdinalOf(proven.fromSlot))
        return yield* new TradesStay({
          reason:
            `Trades of slots before ${proven.fromSlot} are not proven to be on the chain, so no trade leaves PostgreSQL: ` +
            "prove them (backfill), or unset TRADES_KEEP_DAYS",
        })
      const pruned = yield* prunedSlots(sql).read
      if (pruned !== undefined)
        return yield* new TradesStay({
          reason:
            `The log up to slot ${pruned.toSlot} was deleted, and a replay takes the trades of these slots from PostgreSQL, so no trade ` +
            "leaves it: keep the log, or unset TRADES_KEEP_DAYS",
        })
      yield* held(old.close(proven.fromSlot, toSlot - 1n))
      return (yield* isSettled(beyond)) ? ({ from: keptFrom, beyond } satisfies LeavingTrades) : undefined
    }),

    /** Deletes them in batches; a reader learns in the statement that reads trades from where on they are here. Returns whether all have left. */
    leave: Effect.fn("leaveTrades")(function* ({ beyond, from }: LeavingTrades) {
      /** Returns where the batch ended, and `undefined` where anything about the trades is open again. */
      const batch = Effect.fnUntraced(function* (next: bigint) {
        if (!(yield* isSettled(beyond)) || (yield* old.kept).keptFrom !== next) return undefined
        const end = yield* old.endOfBatch(next, beyond)
        const newest = yield* old.deleteTrades(next, end)
        // Times may be some seconds out of the order of ordinals; hours are kept, so minutes leave by whole hours.
        const minutes = newest && new Date(newest.getTime() - (newest.getTime() % HOUR_MILLIS) - HOUR_MILLIS)
        if (minutes !== undefined) yield* old.deleteMinutes(minutes)
        yield* old.keepFrom(end, minutes)
        return end
      })
      let next: bigint | undefined = from
      while (next !== undefined && next < beyond) next = yield* held(batch(next))
      return next !== undefined
    }),
  }
}
