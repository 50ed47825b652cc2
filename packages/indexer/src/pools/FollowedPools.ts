import { migratedVenueOf } from "@launch-registry/chain/transactions/MigratedPools"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import type { PoolToFollow } from "../sources/Follower.ts"
import { bigintArray, textArray } from "../sql/ArrayParameter.ts"

/** A migrated pool that is proven by its address. */
export interface FollowedPool {
  readonly pool: string
  /** From here on: the slot of the migration, unless the log has been closed to it, or its history is forgone. */
  readonly fromSlot: bigint
  /** Of its newest known transaction. */
  readonly activeSlot: bigint
  /** When it was last compared with the chain; null before the first time. */
  readonly provenAt: Date | null
  /** Comparisons that were not complete, since the last one that was. */
  readonly failures: number
  /** When slots that could not be proven are tried again; null when there were none. */
  readonly retryAt: Date | null
}

/** What is kept of a comparison for the next one. */
export type NextProof = Pick<FollowedPool, "activeSlot" | "provenAt" | "failures" | "retryAt"> & {
  readonly dueAt: Date
}

/** How many pools are followed, and how far their proofs are behind. */
export interface FollowedCount {
  readonly followed: number
  readonly due: number
  /** Since when the oldest due proof is due; null without one. */
  readonly dueSince: Date | null
  /** Pools with slots that could not be proven. */
  readonly failing: number
}

/** A pool that a curve migrated to, and that is not followed yet. */
interface Migrated {
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly migratedSlot: bigint
}

/** Most active pools that polling follows; what others miss is found by their proofs. */
export const FOLLOWED_AT_ONCE = 64

/** Rows at once: whether an address is a pool of ours takes some hashes. */
const FOLLOW_AT_ONCE = 1_000

/**
 * SQL of `followed_pools`: the pools that curves migrated to, as far as the index knows. A pool of a program whose trades are not
 * derived has a row and is not followed: neither can anybody have any address followed by claiming that a curve migrated there.
 */
export const followedPools = (sql: SqlClient) => {
  const lease = leaseStatements(sql)
  const shift = sql.literal(String(SLOT_SHIFT))

  const unknown = sql<Migrated>`
    select p.migrated_pool as pool, min(p.base_mint) as base_mint, min(p.quote_mint) as quote_mint,
      min(p.migrated_slot) as migrated_slot
    from dbc_pools p
    where p.migrated_pool is not null and not exists (select from followed_pools f where f.pool = p.migrated_pool)
    group by p.migrated_pool limit ${FOLLOW_AT_ONCE}`

  /** What was deleted from the log cannot be fetched again. */
  const insert = (found: ReadonlyArray<Migrated>, now: Date) => {
    const venues = found.map(({ baseMint, pool, quoteMint }) => migratedVenueOf(pool, baseMint, quoteMint) ?? "")
    return sql`
      insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
      select m.pool, nullif(m.venue, ''), greatest(m.slot, h.pruned_to_slot + 1), m.slot, ${now}, ${now}
      from inbox_head h, unnest(${textArray(found.map(({ pool }) => pool))}::text[],
        ${textArray(venues)}::text[],
        ${bigintArray(found.map(({ migratedSlot }) => migratedSlot))}::bigint[]) as m(pool, venue, slot)
      on conflict (pool) do nothing`
  }

  /** A reverted migration; trades that claim to be of the pool are reverted first, by its proof. */
  const forget = sql`
    with gone as (
      delete from followed_pools f
      where not exists (select from dbc_pools p where p.migrated_pool = f.pool)
        and not exists (select from trades t where t.pool = f.pool and t.venue <> 'dbc')
      returning pool
    )
    delete from coverage c using gone where c.pool = gone.pool`

  /** A migration turned out to be earlier, or the log was opened again. What an operator has forgone stays so. */
  const begunEarlier = (now: Date) => sql`
    update followed_pools f set from_slot = greatest(m.slot, f.forgone_to_slot + 1), due_at = ${now}
    from (
      select p.migrated_pool as pool, greatest(p.migrated_slot, h.pruned_to_slot + 1) as slot
      from dbc_pools p cross join inbox_head h where p.migrated_pool is not null
    ) m
    where f.pool = m.pool and greatest(m.slot, f.forgone_to_slot + 1) < f.from_slot`

  /** Follows what has migrated since; nothing but a look when nothing has. */
  const follow = Effect.fnUntraced(function* (fence: Fence) {
    for (;;) {
      const found = yield* unknown
      if (found.length === 0) return
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* Effect.andThen(lease.hold(fence), insert(found, now)).pipe(sql.withTransaction)
    }
  })

  return {
    follow,

    /** Corrects what a reverted migration, or an earlier one of the same pool, has changed. */
    amend: Effect.fnUntraced(function* (fence: Fence) {
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* Effect.andThen(lease.hold(fence), Effect.andThen(forget, begunEarlier(now))).pipe(sql.withTransaction)
    }),

    /** Pools with slots that could not be proven are proven from this slot on only; returns how many. */
    forgo: (fromSlot: bigint, now: Date) =>
      Effect.map(
        sql`
          update followed_pools
          set from_slot = ${fromSlot}, forgone_to_slot = ${fromSlot - 1n}::bigint, due_at = ${now}, retry_at = null, failures = 0
          where venue is not null and failures > 0 and from_slot < ${fromSlot} returning pool`,
        ({ length }) => length,
      ),

    /** What other modules did not follow, these may: the next look decides again. */
    reconsider: sql`delete from followed_pools where venue is null`,

    /** Changes whenever a pool is added. */
    newestAt: Effect.map(
      sql<{ readonly newest: Date | null }>`
        select max(followed_at) as newest from followed_pools where venue is not null`,
      ([row]) => row!.newest,
    ),

    /** The most recently active ones. */
    mostActive: (limit: number) =>
      Effect.map(
        sql<{ readonly pool: string }>`
          select pool from followed_pools where venue is not null order by active_slot desc limit ${limit}`,
        (rows) => rows.map(({ pool }) => pool),
      ),

    /** The same, each with a transaction that nothing is missing before: its newest proven trade, or the migration. */
    toFollow: (limit: number) =>
      Effect.map(
        sql<{ readonly pool: string; readonly signature: string | null; readonly slot: bigint | null }>`
          select f.pool, coalesce(t.signature, m.signature) as signature,
            coalesce(t.ordinal, m.ordinal) >> ${shift} as slot
          from (
            select pool from followed_pools where venue is not null order by active_slot desc limit ${limit}
          ) f
          left join lateral (
            select ordinal, signature from trades
            where pool = f.pool and venue <> 'dbc' and ordinal < (
              (select max(to_slot) + 1 from coverage c where c.pool = f.pool) << ${shift})
            order by ordinal desc limit 1
          ) t on true
          left join lateral (
            select e.ordinal, e.signature from dbc_pools p join dbc_events e on e.pool = p.pool
            where t.ordinal is null and p.migrated_pool = f.pool and e.type = 'PoolMigrated'
            order by e.ordinal limit 1
          ) m on true`,
        (rows): ReadonlyArray<PoolToFollow> =>
          rows.map(({ pool, signature, slot }) => ({
            pool,
            newest: signature === null || slot === null ? undefined : { signature, slot, hasFailed: false },
          })),
      ),

    count: (now: Date) =>
      Effect.map(
        sql<{
          readonly followed: bigint
          readonly due: bigint
          readonly dueSince: Date | null
          readonly failing: bigint
        }>`
          select count(*) as followed, count(*) filter (where due_at <= ${now}) as due,
            min(due_at) filter (where due_at <= ${now}) as due_since, count(*) filter (where failures > 0) as failing
          from followed_pools where venue is not null`,
        ([row]): FollowedCount => ({
          followed: Number(row!.followed),
          due: Number(row!.due),
          dueSince: row!.dueSince,
          failing: Number(row!.failing),
        }),
      ),

    /**
     * Those to be compared with the chain: the most recently active and the longest due in turn. With more of them than a round has
     * requests for, the pools that people trade do not wait behind all idle ones, nor these behind them.
     */
    due: (now: Date, limit: number) => sql<FollowedPool>`
      with active as (
        select pool, 2 * row_number() over (order by active_slot desc, pool) - 1 as place from (
          select pool, active_slot from followed_pools
          where venue is not null and due_at <= ${now} order by active_slot desc limit ${limit}
        ) a
      ), oldest as (
        select pool, 2 * row_number() over (order by due_at, pool) as place from (
          select pool, due_at from followed_pools where venue is not null and due_at <= ${now} order by due_at limit ${limit}
        ) o
      ), places as (
        select pool, min(place) as place from (select * from active union all select * from oldest) both_of_them group by pool
      )
      select pool, from_slot, active_slot, proven_at, failures, retry_at
      from places join followed_pools using (pool) order by place limit ${limit}`,

    /** Of those that are followed from this slot, or an earlier one, the next after this in the order of addresses. */
    next: (after: string | null, slot: bigint) =>
      Effect.map(
        sql<{ readonly pool: string }>`
          select pool from followed_pools
          where venue is not null and from_slot <= ${slot} and pool > ${after ?? ""} order by pool limit 1`,
        ([row]) => row?.pool,
      ),

    /** How many of them there are. */
    countFrom: (slot: bigint) =>
      Effect.map(
        sql<{ readonly count: number }>`
          select count(*)::integer as count from followed_pools where venue is not null and from_slot <= ${slot}`,
        ([row]) => row!.count,
      ),

    /** Of these, the ones that are followed, and from where. */
    among: (pools: ReadonlyArray<string>) =>
      Effect.map(
        sql<Pick<FollowedPool, "pool" | "fromSlot">>`
          select pool, from_slot from followed_pools
          where venue is not null and pool = any(${textArray(pools)}::text[])`,
        (rows) => new Map(rows.map(({ fromSlot, pool }) => [pool, fromSlot])),
      ),

    /** Pools of transactions that arrived: due again, but no sooner than `pauseMillis` after the last comparison. */
    markActive: (
      active: ReadonlyArray<{ readonly pool: string; readonly slot: bigint }>,
      now: Date,
      pauseMillis: number,
    ) => sql`
      update followed_pools f set active_slot = greatest(f.active_slot, a.slot),
        due_at = least(f.due_at, greatest(${now}::timestamptz,
          coalesce(f.proven_at, '-infinity') + make_interval(secs => ${pauseMillis / 1000}::float8)))
      from unnest(${textArray(active.map(({ pool }) => pool))}::text[],
        ${bigintArray(active.map(({ slot }) => slot))}::bigint[]) as a(pool, slot)
      where f.pool = a.pool`,

    /** After a comparison. */
    setNext: (pool: string, { activeSlot, dueAt, failures, provenAt, retryAt }: NextProof) => sql`
      update followed_pools set active_slot = greatest(active_slot, ${activeSlot}), proven_at = ${provenAt}, due_at = ${dueAt},
        failures = ${failures}, retry_at = ${retryAt}
      where pool = ${pool}`,
  }
}
