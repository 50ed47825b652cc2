import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fence } from "../../src/leader/Lease.ts"
import { hourOf, type PartitionedRange, TRADES } from "../../src/partitions/PartitionedRange.ts"
import { partitionTree, type PlannedBounds, plannedTree } from "../../src/partitions/PartitionTree.ts"
import { rangePartitions } from "../../src/partitions/RangePartitions.ts"
import { beginDue } from "../../src/replay/BeginReplay.ts"
import { switchTables } from "../../src/replay/SwitchTables.ts"
import { shadowTables } from "../../src/sink/ShadowTables.ts"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"

export const FIRST = 300_000_000
/** Ten seconds before it, the chain begins: it has minutes of two hours. */
const HOUR = 1_795_003_200

/** 40 slots in two hours. */
export const { blocks } = generateChain({
  ...{ seed: 23, slots: 40, transactionsPerSlot: 6, isLarge: false, firstSlot: FIRST, firstBlockTime: HOUR - 10 },
})

/** Five slots each, with slots of the chain before the first and after the last, and an hour each. */
export const SMALL: PlannedBounds = {
  trades: [5, 10, 15, 20, 25, 30].map((slot) => BigInt(FIRST + slot)),
  minutes: [-1, 0, 1].map((hour) => hourOf(new Date(HOUR * 1000)) + BigInt(hour)),
}

/** What a leader begins with that keeps trades for so many days. */
export const beginKeeping = (fence: Fence, keptDays: number | undefined) =>
  beginDue(fence, { isReplayNext: false, keepsFacts: false, keptDays })

/** Cuts the tables of an index without rows: the chain of a test is shorter than a day. */
export const cut = Effect.fnUntraced(function* (bounds: PlannedBounds = SMALL) {
  const sql = yield* SqlClient
  const shadow = shadowTables(sql)
  const created = Effect.andThen(shadow.create("the log", plannedTree(bounds)), shadow.progress)
  yield* switchTables(
    sql,
    Effect.map(created, (progress) => progress!),
  )
  yield* sql`delete from cursors`
})

/** The chain is compared up to this slot. */
export const provenTo = Effect.fnUntraced(function* (slot: number) {
  const sql = yield* SqlClient
  yield* sql`delete from coverage`
  yield* sql`insert into coverage values (${FIRST - 100}, ${slot}, 'test', now(), 0)`
})

/** How the live tables are partitioned. */
export const liveTree = Effect.flatMap(SqlClient, (sql) => partitionTree(sql))

/** Bounds of the partitions of a live table, in order. */
export const liveBounds = (range: PartitionedRange = TRADES) =>
  Effect.gen(function* () {
    const found = yield* rangePartitions(yield* SqlClient, range)
    return found === undefined ? [] : [...found.between.map(({ from }) => from), found.aheadFrom]
  })

/** The rows of each partition of a live table that has any. */
export const rowsOf = (table: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) =>
      sql<{ readonly name: string; readonly rows: number }>`
        select tableoid::regclass::text as name, count(*)::integer as rows from ${sql(table)} group by 1 order by 1`,
  )
