import type { SqlClient } from "effect/sql/SqlClient"

/** A mint can have millions of trades; who records one does so soon after it landed. */
const NEWEST_TRADES = 1_000

/** What the indexer's table `trades` says of transactions that are recorded. */
export const indexedTrades = (sql: SqlClient) => ({
  /** Whether this is the signature of one of the newest trades of the mint: a condition. */
  includes: (baseMint: string, signature: string) => sql`
    exists (
      select from (
        select signature from trades where base_mint = ${baseMint} order by ordinal desc limit ${NEWEST_TRADES}::integer
      ) newest where newest.signature = ${signature})`,

  /** Ends those of these pending records whose trade is among the newest of their mint. Each mint is looked up once. */
  settle: (ids: ReadonlyArray<string>, now: Date) => sql`
    with asked as (
      select id, base_token, tx_hash from transactions
      where id = any(${ids}::uuid[]) and status = 'pending' and action in ('BUY', 'SELL') and deleted_at is null
    ), newest as materialized (
      select mints.base_token, newest.signature from (select distinct base_token from asked) mints
      cross join lateral (
        select signature from trades where base_mint = mints.base_token order by ordinal desc
        limit ${NEWEST_TRADES}::integer
      ) newest
    )
    update transactions t set status = 'success', status_reason = null, updated_at = ${now}
    from asked join newest on newest.base_token = asked.base_token and newest.signature = asked.tx_hash
    where t.id = asked.id and t.status = 'pending' and t.tx_hash = asked.tx_hash and t.deleted_at is null`,
})
