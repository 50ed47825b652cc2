import type { HistoryReach } from "@launch-registry/domain/analytics/Analytics"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What of the trades is in history. */
export interface Reach {
  /** Ordinals below it are there. */
  readonly sentBelow: bigint
  readonly sentAt: Date | null
}

export const readReach = (sql: SqlClient) =>
  Effect.map(
    sql<Reach>`select sent_below, sent_at from indexer_progress`,
    ([row]): Reach => row ?? { sentBelow: 0n, sentAt: null },
  )

export const toReach = ({ sentAt, sentBelow }: Reach): HistoryReach => ({
  // Part of the slot of that ordinal may be there as well.
  toSlot: sentBelow === 0n ? null : String(slotOf(sentBelow) - 1n),
  sentAt: sentAt?.toISOString() ?? null,
})
