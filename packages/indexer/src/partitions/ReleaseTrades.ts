import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { SLOT_SHIFT } from "@launch-registry/solana/Ordinal"
import { SHADOW_SCHEMA } from "../sink/ShadowTables.ts"
import { whileLocked } from "./BriefLock.ts"
import { olderOf, TRADES } from "./PartitionedRange.ts"
import { rangeBound } from "./PartitionTree.ts"
import { rangePartitions } from "./RangePartitions.ts"

/** A partition of trades; `toSlot` is not in it. */
export interface TradesPartition {
  readonly name: string
  readonly fromSlot: bigint
  readonly toSlot: bigint
}

/** What takes the place of the older trades, and of a partition: see {@link prepareRelease}. */
export interface PreparedRelease {
  readonly partition: TradesPartition
}

/** Selecting from a partition of millions of rows exceeds the timeout of requests. */
const STATEMENT_TIMEOUT = "30min"

const KEPT = "trades_kept"
const BOUND = "trades_kept_bound"

/**
 * The oldest partition of trades that can be released; `undefined` where trades are not partitioned, and while tables are derived again, which
 * ends with other ones.
 */
export const oldestTrades = Effect.fnUntraced(function* (sql: SqlClient) {
  const found = yield* rangePartitions(sql, TRADES)
  const oldest = found?.between[0]
  if (oldest === undefined) return undefined
  const [shadow] = yield* sql<{
    readonly exists: boolean
  }>`select to_regnamespace(${SHADOW_SCHEMA}) is not null as exists`
  if (shadow!.exists) return undefined
  return { name: oldest.name, fromSlot: oldest.from, toSlot: oldest.to } satisfies TradesPartition as TradesPartition
})

/**
 * Collects what stays of the trades in and before this partition: the newest trade of each pool, which says what it was worth last, also after
 * later trades were reverted, and the trades in the slot in which a pool was created. May take minutes, so it is meant to run without the lease; then the
 * caller has to make sure that none of these trades changed before they are released.
 */
export const prepareRelease = (sql: SqlClient, partition: TradesPartition) =>
  Effect.gen(function* () {
    const [before] = yield* sql<{ readonly timeout: string }>`select current_setting('statement_timeout') as timeout`
    yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
    const kept = sql`public.${sql(KEPT)}`
    const both = sql`(select * from public.${sql(olderOf(TRADES))} union all select * from public.${sql(partition.name)})`
    yield* sql`drop table if exists ${kept}`
    yield* sql`create table ${kept} (like public.trades including all)`
    yield* sql`
      insert into ${kept}
      select t.* from (select pool, max(ordinal) as ordinal from ${both} b group by pool) newest
      join ${both} t on t.ordinal = newest.ordinal and t.pool = newest.pool`
    yield* sql`
      insert into ${kept}
      select t.* from dbc_pools p
      join ${both} t on t.pool = p.pool and t.ordinal >> ${sql.literal(String(SLOT_SHIFT))} = p.created_slot
      on conflict (ordinal, signature) do nothing`
    // Attached with it, its rows need not be read while readers wait.
    yield* sql`alter table ${kept} add constraint ${sql(BOUND)} check (ordinal < ${sql.literal(TRADES.boundOf(partition.toSlot))}::bigint)`
    yield* sql`select set_config('statement_timeout', ${before!.timeout}, true)`
    return { partition } satisfies PreparedRelease as PreparedRelease
  }).pipe(sql.withTransaction)

/** Whether what was collected is of this partition. */
const isPrepared = (sql: SqlClient, { toSlot }: TradesPartition) =>
  Effect.map(
    sql<{ readonly bound: string }>`
      select pg_get_constraintdef(oid) as bound from pg_constraint
      where conrelid = to_regclass(${`public.${KEPT}`}) and conname = ${BOUND}`,
    ([row]) => row !== undefined && row.bound.includes(TRADES.boundOf(toSlot)),
  )

/**
 * Drops the oldest partition of trades, but for what {@link prepareRelease} keeps of it, which is done here unless it was. Within a transaction
 * that holds the lease; fails with a `LockTimeoutError` where readers do not let go of the table in time (`untilUnlocked` retries). Readers see
 * either all trades or those that stay.
 */
export const releaseOldestTrades = Effect.fn("releaseOldestTrades")(function* (
  sql: SqlClient,
  partition: TradesPartition,
  prepared?: PreparedRelease,
) {
  const isReady = prepared?.partition.name === partition.name && (yield* isPrepared(sql, partition))
  if (!isReady) yield* prepareRelease(sql, partition)
  const older = sql`public.${sql(olderOf(TRADES))}`
  const replace = Effect.gen(function* () {
    yield* sql`drop table ${older}`
    yield* sql`drop table public.${sql(partition.name)}`
    yield* sql`alter table public.${sql(KEPT)} rename to ${sql(olderOf(TRADES))}`
    const bound = sql.literal(rangeBound(TRADES, "minvalue", partition.toSlot))
    yield* sql`alter table public.trades attach partition ${older} ${bound}`
    yield* sql`alter table ${older} drop constraint ${sql(BOUND)}`
  })
  yield* whileLocked(sql, sql`public.trades`, replace)
})
