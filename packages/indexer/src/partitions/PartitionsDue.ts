import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { slotOf } from "@launch-registry/solana/Ordinal"
import { reportStatements } from "../leader/ReportStatements.ts"
import { newestSlot } from "./NewestSlot.ts"
import { boundsFor } from "./PartitionBounds.ts"
import { hourOf, MINUTES, TRADES } from "./PartitionedRange.ts"
import { type PartitionTree, partitionTree, plannedTree } from "./PartitionTree.ts"
import { widthOf } from "./PartitionWidth.ts"

/**
 * A row of `cursors` beside those of modules: the live tables are to be derived again as partitioned ones, of so many hours each. Its offset is 0, so
 * nobody takes it for the end of the index; it goes when tables are switched.
 */
export const PARTITIONS_DUE = "partitions of hours: "

/** SQL of what is to be partitioned, and how. */
export const partitionsDue = (sql: SqlClient) => {
  const { slotMillis } = reportStatements(sql)
  const isPartitioned = Effect.map(partitionTree(sql), (tree) => tree.length > 0)

  /** Hours of each partition; `undefined` where none are due. */
  const hours = Effect.map(
    sql<{ readonly id: string }>`select id from cursors where starts_with(id, ${PARTITIONS_DUE}) limit 1`,
    ([row]) => (row === undefined ? undefined : BigInt(row.id.slice(PARTITIONS_DUE.length))),
  )

  const extents = Effect.gen(function* () {
    const [row] = yield* sql<{
      readonly first: bigint | null
      readonly last: bigint | null
      readonly minute: Date | null
    }>`
      select (select ordinal from public.trades order by ordinal limit 1) as first,
        (select ordinal from public.trades order by ordinal desc limit 1) as last,
        (select min(block_time) from (select block_time from public.trades order by ordinal limit 1000) oldest) as minute`
    if (row === undefined || row.first === null || row.last === null || row.minute === null) return {}
    const oldest = slotOf(row.first)
    const newest = (yield* newestSlot(sql)) ?? slotOf(row.last)
    const [hour, now] = [hourOf(row.minute), hourOf(new Date(yield* Clock.currentTimeMillis))]
    return {
      ...(oldest <= newest && { trades: { oldest, newest } }),
      ...(hour <= now && { minutes: { oldest: hour, newest: now } }),
    }
  })

  return {
    isPartitioned,
    hours,

    /** The rebuild that makes them is due from now on. */
    note: (wanted: bigint) => sql`
      with others as (delete from cursors where starts_with(id, ${PARTITIONS_DUE}) and id <> ${PARTITIONS_DUE + wanted})
      insert into cursors (id, log_offset, slot) values (${PARTITIONS_DUE + wanted}, 0, 0) on conflict (id) do nothing`,

    forget: sql`delete from cursors where starts_with(id, ${PARTITIONS_DUE})`,

    /** Partitions of this width for the rows that the live tables have. */
    plan: (wanted: bigint) =>
      Effect.map(Effect.all([extents, slotMillis]), ([{ minutes, trades }, millis]): PartitionTree =>
        plannedTree({
          trades: boundsFor(trades, widthOf(TRADES, wanted, millis)),
          minutes: boundsFor(minutes, widthOf(MINUTES, wanted, millis)),
        }),
      ),
  }
}
