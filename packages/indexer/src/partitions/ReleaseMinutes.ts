import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { SHADOW_SCHEMA } from "../sink/ShadowTables.ts"
import { whileLocked } from "./BriefLock.ts"
import { hourOf, MINUTES, olderOf, startOfHour } from "./PartitionedRange.ts"
import { rangeBound } from "./PartitionTree.ts"
import { rangePartitions } from "./RangePartitions.ts"

/**
 * Drops the partitions whose minute candles all start before this time; returns from when on they are all here, `undefined` where none was
 * dropped. Hours and the whole life stay. Within a transaction that holds the lease; fails with a `LockTimeoutError` as `releaseOldestTrades` does.
 */
export const releaseMinutes = Effect.fn("releaseMinutes")(function* (sql: SqlClient, before: Date) {
  const found = yield* rangePartitions(sql, MINUTES)
  const due = (found?.between ?? []).filter(({ to }) => to <= hourOf(before))
  const end = due.at(-1)?.to
  if (end === undefined) return undefined
  const [shadow] = yield* sql<{
    readonly exists: boolean
  }>`select to_regnamespace(${SHADOW_SCHEMA}) is not null as exists`
  if (shadow!.exists) return undefined
  const older = sql`public.${sql(olderOf(MINUTES))}`
  const replace = Effect.gen(function* () {
    yield* sql`alter table public.candles_minutes detach partition ${older}`
    for (const { name } of due) yield* sql`drop table public.${sql(name)}`
    yield* sql`truncate ${older}`
    const bound = sql.literal(rangeBound(MINUTES, "minvalue", end))
    yield* sql`alter table public.candles_minutes attach partition ${older} ${bound}`
  })
  yield* whileLocked(sql, sql`public.candles_minutes`, replace)
  return startOfHour(end)
})
