import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import type { SharedMoment } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { TradeRow } from "../modules/FactRows.ts"
import { bigintArray, integerArray, textArray } from "../sql/ArrayParameter.ts"
import type { StoredTrade, TokenRow, TradeKey } from "./HistoryRow.ts"

/** The row of `history_progress`. Ordinals are the first that are not meant; 0: none is. */
export interface HistoryProgress {
  /** A change of a trade below is noted, because it is in history, or on its way. */
  readonly claimedBelow: bigint
  /** Trades below are in history, but for what is noted. */
  readonly sentBelow: bigint
  readonly sentAt: Date | null
  /** Trades below are read from history. */
  readonly keptFrom: bigint
  /** Minute candles that start before are read from history. */
  readonly minutesFrom: Date | null
  /** History has rows of tables that were derived again since, below this. They are older than `resendVersion`. */
  readonly resendBelow: bigint
  readonly resendVersion: bigint
  /** Tokens that were registered until then have been sent; null before the first. */
  readonly registeredTo: Date | null
  /** The last pool whose token was compared. */
  readonly walkedTo: string
  /** The history that trades are sent to; null before the first. */
  readonly historyId: string | null
}

/** A trade that was inserted or reverted after it was claimed, and its row, if it has one now. */
export interface NotedChange extends TradeKey {
  /** How often it was noted. */
  readonly times: number
  readonly row: StoredTrade | null
}

/** Columns of a trade besides its key. */
const FIGURES =
  "pool, quote_mint, side, base_amount, quote_amount, fee, next_sqrt_price, quote_reserve, block_time, venue"

/** Rows per insert: some ten megabytes. */
export const TRADES_BATCH = 20_000
const CHANGES_BATCH = 1_000

/** A version that is higher than all before it, on this server and on one that was promoted in its place. */
const NEXT_VERSION = "greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)"

/** SQL of `history_progress` and `history_changes`, and of the trades that are sent. */
export const historyStatements = (sql: SqlClient) => {
  const keysOf = (keys: ReadonlyArray<TradeKey & { readonly times: number }>) => sql`unnest(
    ${bigintArray(keys.map(({ ordinal }) => ordinal))}::bigint[], ${textArray(keys.map(({ signature }) => signature))}::text[],
    ${textArray(keys.map(({ baseMint }) => baseMint))}::text[], ${textArray(keys.map(({ trader }) => trader))}::text[],
    ${integerArray(keys.map(({ times }) => times))}::integer[])`

  const next = sql`(select ${sql.literal(NEXT_VERSION)} as version from history_progress) next`
  const outdated = sql`
    resend_below = greatest(resend_below, claimed_below), resend_version = next.version, version = next.version`

  return {
    progress: Effect.map(
      sql<HistoryProgress>`
        select claimed_below, sent_below, sent_at, kept_from, minutes_from, resend_below, resend_version,
          nullif(registered_to, '-infinity') as registered_to, walked_to, history_id
        from history_progress`,
      ([row]) => row!,
    ),

    /** From the commit on, changes of trades below `beyond` are noted. Returns the version of what is sent. */
    claim: (beyond: bigint) =>
      Effect.map(
        sql<{ readonly version: bigint }>`
          update history_progress set claimed_below = greatest(claimed_below, ${beyond}), version = ${sql.literal(NEXT_VERSION)}
          returning version`,
        ([row]) => row!.version,
      ),

    /** Everything below is in history, and whether that still counts: not where trades are sent again since, from the beginning. */
    sent: (below: bigint, resendVersion: bigint, { now }: SharedMoment) =>
      Effect.map(
        sql`
          update history_progress set sent_below = ${below}, sent_at = ${now} where resend_version = ${resendVersion}
          returning 1`,
        (rows) => rows.length > 0,
      ),

    /** Which history is sent to. */
    sendTo: (historyId: string) => sql`update history_progress set history_id = ${historyId}`,

    /** Where a batch of trades from `from` on ends, before `beyond`. */
    endOfBatch: (from: bigint, beyond: bigint) =>
      Effect.map(
        sql<{ readonly ordinal: bigint }>`
          select ordinal from trades where ordinal > ${from} and ordinal < ${beyond}
          order by ordinal offset ${TRADES_BATCH} limit 1`,
        ([row]) => row?.ordinal ?? beyond,
      ),

    tradesBetween: (from: bigint, beyond: bigint) =>
      sql<StoredTrade>`
        select ordinal, signature, base_mint, trader, ${sql.literal(FIGURES)} from trades
        where ordinal >= ${from} and ordinal < ${beyond} order by ordinal, signature`,

    /** Within the transaction that inserts them. */
    note: (trades: ReadonlyArray<TradeRow>) => sql`
      insert into history_changes as c (ordinal, signature, base_mint, trader)
      select * from unnest(
        ${bigintArray(trades.map(({ ordinal }) => ordinal))}::bigint[], ${textArray(trades.map(({ signature }) => signature))}::text[],
        ${textArray(trades.map(({ baseMint }) => baseMint))}::text[], ${textArray(trades.map(({ trader }) => trader))}::text[])
      on conflict (ordinal, signature, base_mint, trader) do update set times = c.times + 1`,

    /** Some of what is noted. A trade that returned with another mint or trader is another row of history. */
    changes: Effect.map(
      sql<Omit<NotedChange, "row"> & { readonly isThere: boolean } & StoredTrade>`
        select c.ordinal, c.signature, c.base_mint, c.trader, c.times, t.ordinal is not null as is_there, ${sql.literal(FIGURES)}
        from (select * from history_changes order by ordinal, signature limit ${CHANGES_BATCH}) c
        left join trades t on t.ordinal = c.ordinal and t.signature = c.signature and t.base_mint = c.base_mint
          and t.trader = c.trader`,
      (rows) => rows.map((row): NotedChange => ({ ...row, row: row.isThere ? row : null })),
    ),

    /** What was noted again meanwhile stays. */
    forget: (changes: ReadonlyArray<NotedChange>) => sql`
      delete from history_changes c using ${keysOf(changes)} as s(ordinal, signature, base_mint, trader, times)
      where c.ordinal = s.ordinal and c.signature = s.signature and c.base_mint = s.base_mint and c.trader = s.trader
        and c.times = s.times`,

    /** Whether a trade below was changed and is not sent again yet. */
    hasChangesBelow: (beyond: bigint) =>
      Effect.map(
        sql<{ readonly hasAny: boolean }>`
          select exists (select from history_changes where ordinal < ${beyond}) as has_any`,
        ([row]) => row!.hasAny,
      ),

    /**
     * All trades that PostgreSQL has are sent again, and what history has besides them is deleted afterwards. Within a transaction that holds the
     * lease.
     */
    sendAgain: sql`
      update history_progress set claimed_below = kept_from, sent_below = kept_from, ${outdated}
      from ${next} where history_progress.id`,

    /** The tables were replaced by such that have all trades: within the transaction that does so. */
    startOver: Effect.fnUntraced(function* () {
      yield* sql`
        update history_progress set claimed_below = 0, sent_below = 0, kept_from = 0, minutes_from = null, ${outdated},
          registered_to = '-infinity', walked_to = ''
        from ${next} where history_progress.id`
      yield* sql`delete from history_changes`
      yield* sql`update inbox_head set closed_from_slot = -1, closed_to_slot = -1, closed_at_offset = 0`
    }),

    /** History has nothing any more that was not sent again. */
    resent: (version: bigint) => sql`update history_progress set resend_below = 0 where resend_version = ${version}`,

    /** The log takes no transaction of these slots any more. Appends lock the row, so none is in flight after the commit. */
    close: (fromSlot: bigint, toSlot: bigint) => sql`
      update inbox_head set closed_from_slot = case when closed_to_slot < 0 then ${fromSlot}::bigint else closed_from_slot end,
        closed_to_slot = ${toSlot}::bigint, closed_at_offset = next_offset - 1
      where closed_to_slot < ${toSlot}`,

    closed: Effect.map(
      sql<{ readonly toSlot: bigint; readonly atOffset: bigint }>`
        select closed_to_slot as to_slot, closed_at_offset as at_offset from inbox_head`,
      ([row]) => row!,
    ),

    /** Mints of pools that were created between two ordinals. */
    createdBetween: (from: bigint, beyond: bigint) =>
      Effect.map(
        sql<{ readonly baseMint: string }>`
          select distinct p.base_mint from dbc_events e join dbc_pools p on p.pool = e.pool
          where e.ordinal >= ${from} and e.ordinal < ${beyond} and e.type = 'PoolCreated'`,
        (rows) => rows.map(({ baseMint }) => baseMint),
      ),

    /** Mints that were registered after a time, the first ones first; of those that stand, which have an index in this order. */
    registeredAfter: (time: Date | null, limit: number) => sql<{ readonly baseMint: string; readonly createdAt: Date }>`
      select mint_address as base_mint, created_at from tokens
      where created_at > ${time ?? new Date(0)} and deleted_at is null order by created_at limit ${limit}`,

    /** Mints of the next pools, in the order of their addresses. */
    poolsAfter: (pool: string, limit: number) => sql<{ readonly baseMint: string; readonly pool: string }>`
      select base_mint, pool from dbc_pools where pool > ${pool} order by pool limit ${limit}`,

    /** What history is told of these mints. */
    tokensOf: (mints: ReadonlyArray<string>) => sql<TokenRow>`
      select p.base_mint, p.pool, p.config, p.creator, p.quote_mint, coalesce(t.launchpad, '') as launchpad
      from unnest(${textArray(mints)}::text[]) as m(mint)
      cross join lateral (
        select base_mint, pool, config, creator, quote_mint from dbc_pools where base_mint = m.mint
        order by created_slot, pool limit 1
      ) p
      left join tokens t on t.mint_address = p.base_mint and t.deleted_at is null`,

    toldOf: ({
      registeredTo,
      resendVersion,
      walkedTo,
    }: Pick<HistoryProgress, "registeredTo" | "resendVersion" | "walkedTo">) => sql`
      update history_progress
      set registered_to = coalesce(${registeredTo}::timestamptz, registered_to), walked_to = ${walkedTo}
      where resend_version = ${resendVersion}`,

    hasTradesBetween: (from: bigint, beyond: bigint) =>
      Effect.map(
        sql<{ readonly hasAny: boolean }>`
          select exists (select from trades where ordinal >= ${from} and ordinal < ${beyond}) as has_any`,
        ([row]) => row!.hasAny,
      ),

    /** The oldest trade from an ordinal on. */
    oldestFrom: (ordinal: bigint) =>
      Effect.map(
        sql<{
          readonly ordinal: bigint
        }>`select ordinal from trades where ordinal >= ${ordinal} order by ordinal limit 1`,
        ([row]) => row?.ordinal,
      ),

    /** Time of the newest trade in slots before this one. */
    newestBefore: (slot: bigint) =>
      Effect.map(
        sql<{ readonly blockTime: Date }>`
          select block_time from trades where ordinal < ${firstOrdinalOf(slot)} order by ordinal desc limit 1`,
        ([row]) => row?.blockTime,
      ),

    /** From the commit on, trades below and minute candles before are read from history. */
    keepFrom: (ordinal: bigint, minutes: Date | undefined) => sql`
      update history_progress
      set kept_from = ${ordinal}, minutes_from = greatest(minutes_from, ${minutes ?? null}::timestamptz)`,
  }
}
