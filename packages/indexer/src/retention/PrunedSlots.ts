import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** SQL of the columns of `inbox_head` about slots whose transactions were deleted from the log. Appends lock its row, so none misses a change. */
export const prunedSlots = (sql: SqlClient) => ({
  read: Effect.map(
    sql<SlotRange>`
      select pruned_from_slot as from_slot, pruned_to_slot as to_slot from inbox_head where pruned_to_slot >= 0`,
    ([row]): SlotRange | undefined => row,
  ),

  write: ({ fromSlot, toSlot }: SlotRange) => sql`
    update inbox_head set pruned_from_slot = ${fromSlot}, pruned_to_slot = ${toSlot}`,

  forget: sql`update inbox_head set pruned_from_slot = -1, pruned_to_slot = -1`,
})
