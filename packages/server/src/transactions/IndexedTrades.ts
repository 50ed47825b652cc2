import type { SqlClient } from "effect/sql/SqlClient"

/** A mint can have millions of trades; clients record theirs soon after it landed. */
const NEWEST_TRADES = 1_000

/** Matches records against `trades` of the indexer. */
export const indexedTrades = (sql: SqlClient) => ({
  /** SQL condition: the signature is among the newest trades of the mint. */
  includes: (baseMint: string, signature: string) => sql`
    exists (
      select from (
        select signature from trades where base_mint = ${baseMint} order by ordinal desc limit ${NEWEST_TRADES}::integer
      ) newest where newest.signature = ${signature})`,

  /** Settles unsettled records whose trade is among the newest of their mint. Looks up each mint once. */
  settle: (ids: ReadonlyArray<string>, now: Date) => sql`
    with asked as (
      select id, base_token, tx_hash from transactions
      where id = any(${ids}::uuid[]) and (status = 'pending' or is_reported) and action in ('BUY', 'SELL')
        and deleted_at is null
    ), newest as materialized (
      select mints.base_token, newest.signature from (select distinct base_token from asked) mints
      cross join lateral (
        select signature from trades where base_mint = mints.base_token order by ordinal desc
        limit ${NEWEST_TRADES}::integer
      ) newest
    )
    update transactions t set status = 'success', status_reason = null, is_reported = false,
      updated_at = case t.status when 'success' then t.updated_at else ${now} end
    from asked join newest on newest.base_token = asked.base_token and newest.signature = asked.tx_hash
    where t.id = asked.id and (t.status = 'pending' or t.is_reported) and t.tx_hash = asked.tx_hash
      and t.deleted_at is null`,
})
