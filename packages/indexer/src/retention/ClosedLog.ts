import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { reconcileStatements } from "../finality/ReconcileStatements.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { poolEntries } from "../pools/PoolEntries.ts"
import { provenRange } from "../pools/ProvenRange.ts"
import { inboxStatements } from "../sink/InboxStatements.ts"
import { prunedSlots } from "./PrunedSlots.ts"
import { retentionStatements } from "./RetentionStatements.ts"

/** The part of the log that nothing changes any more and that nothing but a replay reads. */
export const closedLog = (sql: SqlClient) => {
  const statements = retentionStatements(sql)

  /** Up to this offset everything is folded, counted in the trading windows and compared with the chain. */
  const compared = Effect.gen(function* () {
    const { cursor } = yield* inboxStatements(sql).standing([])
    const checked = yield* reconcileStatements(sql).checkedOffset
    const checkedPools = (yield* poolEntries(sql).checkedOffset) ?? cursor
    return yield* statements.comparedOffset(cursor, checked, checkedPools)
  })

  return {
    /** Slots that are proven without a gap, from where the log began or was deleted from. */
    proven: Effect.gen(function* () {
      const before = yield* prunedSlots(sql).read
      const origin = (yield* reportStatements(sql).leader)?.originSlot
      const anchor = before?.toSlot ?? (typeof origin === "string" ? BigInt(origin) : undefined)
      return anchor === undefined ? undefined : yield* provenRange(sql).around(anchor)
    }),

    compared,

    /** Whether the log has something of slots up to that of an ordinal that is after the offset that was compared. */
    hasUncomparedBelow: (ordinal: bigint, logOffset: bigint) =>
      Effect.map(
        sql<{ readonly has: boolean }>`
          select exists (
            select from inbox_segments where log_offset > ${logOffset} and first_slot <= ${slotOf(ordinal - 1n)}
          ) as has`,
        ([row]) => row!.has,
      ),

    /** Of what is compared, all that may be deleted: not the newest segment. */
    settled: Effect.gen(function* () {
      const [offset, before] = [yield* compared, yield* statements.beforeNewest]
      return offset < before ? offset : before
    }),
  }
}
