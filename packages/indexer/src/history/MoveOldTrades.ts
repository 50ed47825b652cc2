import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { NOT_URGENT, untilUnlocked } from "../partitions/BriefLock.ts"
import { releaseMinutes } from "../partitions/ReleaseMinutes.ts"
import { oldestTrades, prepareRelease, releaseOldestTrades } from "../partitions/ReleaseTrades.ts"
import { closedLog } from "../retention/ClosedLog.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { shadowTables } from "../sink/ShadowTables.ts"
import { compareStores, isSame } from "./CompareStores.ts"
import { StoresDiffer, TradesNeeded, TradesUnproven } from "./HistoryFault.ts"
import { historyStatements } from "./HistoryStatements.ts"

const DAY_MILLIS = 86_400_000
const HOUR_MILLIS = 3_600_000

/**
 * Lets the oldest partition of trades leave PostgreSQL, if all of it is older than so many days, proven, in ClickHouse, and the same there. The log is
 * closed to its slots first: what would arrive in them from then on is already there, or forged. Returns whether it left.
 */
export const moveOldTrades = Effect.fn("moveOldTrades")(function* (clickhouse: ClickHouse, days: number, fence: Fence) {
  const sql = yield* SqlClient
  const statements = historyStatements(sql)
  const shadow = shadowTables(sql)
  const log = closedLog(sql)

  const held = transactionsUnder(sql, fence)

  const partition = yield* oldestTrades(sql)
  const proven = yield* log.proven
  if (partition === undefined || proven === undefined || partition.toSlot > proven.toSlot) return false
  const { sentBelow, keptFrom, resendBelow } = yield* statements.progress
  const beyond = firstOrdinalOf(partition.toSlot)
  if (beyond > sentBelow || resendBelow > 0n) return false
  const cutoff = (yield* Clock.currentTimeMillis) - days * DAY_MILLIS
  const newest = yield* statements.newestBefore(partition.toSlot)
  if (newest !== undefined && newest.getTime() >= cutoff) return false
  if (yield* statements.hasTradesBetween(keptFrom, firstOrdinalOf(proven.fromSlot)))
    return yield* new TradesUnproven({ fromSlot: proven.fromSlot })
  const pruned = yield* prunedSlots(sql).read
  if (pruned !== undefined) return yield* new TradesNeeded({ toSlot: pruned.toSlot })
  yield* held(statements.close(proven.fromSlot, partition.toSlot - 1n))
  // What was appended before the log was closed may still be folded, or reverted.
  const isSettled = Effect.gen(function* () {
    const closed = yield* statements.closed
    if (closed.toSlot < partition.toSlot - 1n || (yield* log.compared) < closed.atOffset) return false
    return !(yield* statements.hasChangesBelow(beyond)) && !(yield* shadow.exists)
  })
  if (!(yield* isSettled)) return false
  const from = firstOrdinalOf(partition.fromSlot)
  const compared = yield* compareStores(sql, clickhouse, from, beyond)
  if (!isSame(compared))
    return yield* new StoresDiffer({
      ...{ fromSlot: partition.fromSlot, toSlot: partition.toSlot - 1n },
      ...{ postgres: compared.postgres.rows, clickhouse: compared.clickhouse.rows },
    })
  const prepared = yield* prepareRelease(sql, partition)
  // Times may be some seconds out of the order of ordinals; hours are kept, so minutes leave by whole hours.
  const millis = newest?.getTime() ?? 0
  const minutes = new Date(millis - (millis % HOUR_MILLIS) - HOUR_MILLIS)
  const leave = Effect.gen(function* () {
    const now = yield* statements.progress
    if (!(yield* isSettled) || now.sentBelow < beyond || now.keptFrom !== keptFrom || now.resendBelow > 0n) return false
    yield* releaseOldestTrades(sql, partition, prepared)
    yield* statements.keepFrom(beyond, yield* releaseMinutes(sql, minutes))
    return true
  })
  return yield* untilUnlocked(held(leave), NOT_URGENT)
})
