import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Slots whose transactions were deleted from the log; the facts derived from them are kept. */
export interface PrunedSlots extends SlotRange {
  /** Modules that derived the facts. */
  readonly factsHash: string
}

/** What tables that are derived again begin with: the facts of deleted slots, or nothing. */
export const originOf = (pruned: PrunedSlots | undefined): string =>
  pruned === undefined ? "the log" : `slots ${pruned.fromSlot} to ${pruned.toSlot} of ${pruned.factsHash}`

/** SQL of the columns of `inbox_head` about what was deleted. Appends lock its row, so none can miss a change. */
export const prunedSlots = (sql: SqlClient) => ({
  read: Effect.map(
    sql<PrunedSlots>`
      select pruned_from_slot as from_slot, pruned_to_slot as to_slot, coalesce(pruned_facts, '') as facts_hash
      from inbox_head where pruned_to_slot >= 0`,
    ([row]): PrunedSlots | undefined => row,
  ),

  write: ({ factsHash, fromSlot, toSlot }: PrunedSlots) => sql`
    update inbox_head
    set pruned_from_slot = ${fromSlot}, pruned_to_slot = ${toSlot}, pruned_facts = ${factsHash}`,

  forget: sql`update inbox_head set pruned_from_slot = -1, pruned_to_slot = -1, pruned_facts = null`,
})
