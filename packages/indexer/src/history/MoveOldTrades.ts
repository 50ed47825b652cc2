import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf, slotOf } from "@launch-registry/solana/Ordinal"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { closedLog } from "../retention/ClosedLog.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { rebuildSchema } from "../sink/RebuildSchema.ts"
import { compareStores, isSame } from "./CompareStores.ts"
import { StoresDiffer, TradesNeeded, TradesUnproven } from "./HistoryFault.ts"
import { historyStatements } from "./HistoryStatements.ts"

const DAY_MILLIS = 86_400_000
const HOUR_MILLIS = 3_600_000

/**
 * Lets the trades of the oldest slots leave PostgreSQL, a day's at once, if all of them are older than so many days, proven, in ClickHouse, and the
 * same there. The log is closed to these slots first: what would arrive in them from then on is already there, or forged. Trades leave in
 * batches; a reader learns in the statement that reads them from where on they are here. Returns whether they left.
 */
export const moveOldTrades = Effect.fn("moveOldTrades")(function* (
  clickhouse: ClickHouse,
  days: number,
  fence: Fence,
  slots?: bigint,
) {
  const sql = yield* SqlClient
  const statements = historyStatements(sql)
  const schema = rebuildSchema(sql)
  const log = closedLog(sql)
  const old = oldTrades(sql)

  const held = transactionsUnder(sql, fence)

  const { keptFrom, resendBelow, sentBelow } = yield* statements.progress
  const oldest = yield* statements.oldestFrom(keptFrom)
  const proven = yield* log.proven
  if (oldest === undefined || proven === undefined || resendBelow > 0n || (yield* schema.exists)) return false
  const daySlots = BigInt(Math.round(DAY_MILLIS / (yield* reportStatements(sql).slotMillis)))
  const toSlot = slotOf(oldest) + (slots ?? daySlots)
  const beyond = firstOrdinalOf(toSlot)
  if (toSlot > proven.toSlot || beyond > sentBelow) return false
  const newest = yield* statements.newestBefore(toSlot)
  if (newest !== undefined && newest.getTime() >= (yield* Clock.currentTimeMillis) - days * DAY_MILLIS) return false
  if (yield* statements.hasTradesBetween(keptFrom, firstOrdinalOf(proven.fromSlot)))
    return yield* new TradesUnproven({ fromSlot: proven.fromSlot })
  const pruned = yield* prunedSlots(sql).read
  if (pruned !== undefined) return yield* new TradesNeeded({ toSlot: pruned.toSlot })
  yield* held(statements.close(proven.fromSlot, toSlot - 1n))
  // What was appended before the log was closed may still be folded, or reverted.
  const isSettled = Effect.gen(function* () {
    const closed = yield* statements.closed
    if (closed.toSlot < toSlot - 1n || (yield* log.compared) < closed.atOffset) return false
    return !(yield* statements.hasChangesBelow(beyond)) && !(yield* schema.exists)
  })
  if (!(yield* isSettled)) return false
  const compared = yield* compareStores(sql, clickhouse, keptFrom, beyond)
  if (!isSame(compared))
    return yield* new StoresDiffer({
      ...{ fromSlot: slotOf(oldest), toSlot: toSlot - 1n },
      ...{ postgres: compared.postgres.rows, clickhouse: compared.clickhouse.rows },
    })
  /** Deletes a batch; returns where it ended, and `undefined` where anything about the trades is open again. */
  const leave = Effect.fnUntraced(function* (from: bigint) {
    const now = yield* statements.progress
    if (!(yield* isSettled) || now.sentBelow < beyond || now.keptFrom !== from || now.resendBelow > 0n) return undefined
    const end = yield* statements.endOfBatch(from, beyond)
    const newest = yield* old.deleteTrades(from, end)
    // Times may be some seconds out of the order of ordinals; hours are kept, so minutes leave by whole hours.
    const millis = newest === undefined ? undefined : newest.getTime() - (newest.getTime() % HOUR_MILLIS) - HOUR_MILLIS
    const minutes = millis === undefined ? undefined : new Date(millis)
    if (minutes !== undefined) yield* old.deleteMinutes(minutes)
    yield* statements.keepFrom(end, minutes)
    return end
  })
  let from: bigint | undefined = keptFrom
  while (from !== undefined && from < beyond) from = yield* held(leave(from))
  return from !== undefined
})
