import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { SharedMoment } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What was sent, in `indexer_progress`. */
export interface HistoryProgress {
  /** By which ClickHouse and the index know each other. */
  readonly historyId: string
  /** The watermark: trades with ordinals below are in ClickHouse. */
  readonly sentBelow: bigint
  /** ClickHouse may have others above it, which are deleted before more are sent. */
  readonly isSentAgain: boolean
  /** Registrations that were changed until then were sent; null before the first. */
  readonly tokensTo: Date | null
}

/** A trade as it is sent, and the configuration of its curve. Amounts are decimal strings. */
export interface SentTrade {
  readonly ordinal: bigint
  readonly signature: string
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: TradeSide
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly quoteReserve: string | null
  readonly blockTime: Date
  readonly venue: Venue
  readonly config: string
}

/** A place in the order of changes of registrations. */
export interface TokenPlace {
  readonly changedAt: Date
  readonly id: string
}

export interface ChangedToken extends TokenPlace {
  readonly mint: string
  readonly launchpad: string
}

/** Rows per insert: some ten megabytes. */
const BATCH = 20_000

/** SQL of what is sent, and of how far. */
export const historyStatements = (sql: SqlClient) => ({
  progress: Effect.map(
    sql<HistoryProgress>`
      select history_id, sent_below, is_sent_again, nullif(tokens_to, '-infinity') as tokens_to from indexer_progress`,
    ([row]) => row!,
  ),

  sent: (below: bigint, { now }: SharedMoment) =>
    sql`update indexer_progress set sent_below = ${below}, sent_at = ${now}`,

  /** All trades and registrations that PostgreSQL has are sent again. */
  sendAgain: sql`
    update indexer_progress set sent_below = kept_from, tokens_to = '-infinity', is_sent_again = true`,

  /** ClickHouse has nothing above the watermark any more. */
  emptied: sql`update indexer_progress set is_sent_again = false`,

  /** Where a batch of trades from `from` on ends, before `beyond`. */
  endOfBatch: (from: bigint, beyond: bigint) =>
    Effect.map(
      sql<{ readonly ordinal: bigint }>`
        select ordinal from trades where ordinal > ${from} and ordinal < ${beyond}
        order by ordinal offset ${BATCH} limit 1`,
      ([row]) => row?.ordinal ?? beyond,
    ),

  tradesBetween: (from: bigint, beyond: bigint) => sql<SentTrade>`
    select t.ordinal, t.signature, t.pool, t.base_mint, t.quote_mint, t.trader, t.side, t.base_amount, t.quote_amount, t.fee,
      t.next_sqrt_price, t.quote_reserve, t.block_time, t.venue, coalesce(p.config, '') as config
    from trades t left join lateral (
      select config from dbc_pools where base_mint = t.base_mint order by created_slot, pool limit 1
    ) p on true
    where t.ordinal >= ${from} and t.ordinal < ${beyond} order by t.ordinal, t.signature`,

  /** Registrations by when they were changed, after one of them. Empty launchpads are of those that were deleted. */
  tokensAfter: ({ changedAt, id }: TokenPlace) => sql<ChangedToken>`
    select id, mint_address as mint, greatest(updated_at, deleted_at) as changed_at,
      case when deleted_at is null then launchpad else '' end as launchpad
    from tokens where (greatest(updated_at, deleted_at), id) > (${changedAt}::timestamptz, ${id}::uuid)
    order by greatest(updated_at, deleted_at), id limit ${BATCH}`,

  tokensSent: (to: Date) => sql`update indexer_progress set tokens_to = ${to}`,
})
