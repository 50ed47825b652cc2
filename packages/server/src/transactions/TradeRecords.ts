import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { contradicted } from "./StatusReason.ts"
import type { RecordedTrade, TradeVerdict } from "./TradeVerdict.ts"

/** Anybody can record a transaction; those beyond this are next. */
const RECORDS_MAX = 1_000

/** A record of a trade on Solana, in any status. */
export interface TradeRecord extends RecordedTrade {
  readonly id: string
  readonly txHash: string
  readonly action: TradeSide
  /** Whether the index has a launch whose pool this is. */
  readonly isPoolOfLaunch: boolean
}

/** A record, and what the chain says of it. */
export interface Judged {
  readonly record: TradeRecord
  readonly verdict: TradeVerdict
}

/**
 * Gives records that the chain has confirmed the place of their transaction, unless another one that it has confirmed is there: they may
 * have been written beside a wrong one. Within a transaction.
 */
export const takePlaces = Effect.fnUntraced(function* (sql: SqlClient, ids: ReadonlyArray<string>) {
  const isBeside = sql`t.id = any(${ids}::uuid[]) and t.is_sole is false and t.deleted_at is null`
  const hasPlace = sql`(o.tx_hash, o.user_address, o.action, o.chain) = (t.tx_hash, t.user_address, t.action, t.chain)
    and o.is_sole and o.deleted_at is null`
  yield* sql`
    update transactions o set is_sole = false from transactions t
    where ${isBeside} and ${hasPlace} and (o.status <> 'success' or o.is_reported)`
  yield* sql`
    update transactions set is_sole = true where is_sole is false and id in (
      select distinct on (t.tx_hash, t.user_address, t.action, t.chain) t.id from transactions t
      where ${isBeside} and not exists (select from transactions o where ${hasPlace})
      order by t.tx_hash, t.user_address, t.action, t.chain, t.created_at, t.id)`
})

/** SQL of records of trades on Solana that the chain has answered for. */
export const tradeRecords = (sql: SqlClient) => ({
  /** Those with these hashes, pending ones first; `open` leaves out those that the chain has confirmed. */
  of: (hashes: ReadonlyArray<string>, which: "all" | "open") => sql<TradeRecord>`
    select t.id, t.tx_hash, t.user_address, t.action, t.base_token, t.quote_token, t.pool_address, t.amount_in_decimals,
      t.amount_out_decimals, exists (select from dbc_pools p where p.pool = t.pool_address)
        or exists (select from dbc_pools p where p.migrated_pool = t.pool_address) as is_pool_of_launch
    from transactions t
    where t.tx_hash = any(${hashes}::text[]) and t.chain = 'solana' and t.action in ('BUY', 'SELL') and t.deleted_at is null
      ${which === "all" ? sql`` : sql`and (t.status <> 'success' or t.is_reported)`}
    order by t.status <> 'pending', t.created_at, t.id limit ${RECORDS_MAX}`,

  /**
   * Ends records as the chain says, whatever their status, unless they have another hash now. Those that it says nothing of stay. What it
   * contradicts keeps no place from the true record: anybody can write the first one.
   */
  end: Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>, now: Date) {
    const ended = judged.flatMap(({ record: { id, txHash }, verdict }) => {
      if (verdict._tag === "Unknown") return []
      const {
        amountIn = null,
        amountInDecimals = null,
        amountOut = null,
        amountOutDecimals = null,
        pricePerToken = null,
        quoteVolume = null,
      } = verdict._tag === "Agreed" ? verdict.amounts : {}
      const reason = verdict._tag === "Agreed" ? null : contradicted(verdict.contradictions)
      const amounts = { amountIn, amountInDecimals, amountOut, amountOutDecimals, pricePerToken, quoteVolume }
      return [{ id, txHash, reason, ...amounts }]
    })
    if (ended.length === 0) return
    yield* sql`
      with ended as (
        select *, case when reason is null then 'success' else 'failed' end as status
        from jsonb_to_recordset(${JSON.stringify(ended)}::text::jsonb) as e (id uuid, "txHash" text, reason text,
          "amountIn" numeric, "amountInDecimals" smallint, "amountOut" numeric, "amountOutDecimals" smallint,
          "pricePerToken" numeric, "quoteVolume" numeric)
      )
      update transactions t set is_reported = false, is_sole = t.is_sole and e.reason is null, status = e.status, status_reason = e.reason,
        amount_in = coalesce(e."amountIn", t.amount_in),
        amount_in_decimals = coalesce(e."amountInDecimals", t.amount_in_decimals),
        amount_out = coalesce(e."amountOut", t.amount_out),
        amount_out_decimals = coalesce(e."amountOutDecimals", t.amount_out_decimals),
        price_per_token = coalesce(e."pricePerToken", t.price_per_token), quote_volume = e."quoteVolume",
        updated_at = case when (t.status, t.status_reason, t.amount_in, t.amount_out, t.price_per_token)
          is distinct from (e.status, e.reason, coalesce(e."amountIn", t.amount_in), coalesce(e."amountOut", t.amount_out),
            coalesce(e."pricePerToken", t.price_per_token)) then ${now} else t.updated_at end
      from ended e
      where t.id = e.id and t.tx_hash = e."txHash" and t.deleted_at is null
        and (t.is_reported or (t.status, t.status_reason, t.amount_in, t.amount_out, t.price_per_token, t.quote_volume)
          is distinct from (e.status, e.reason, coalesce(e."amountIn", t.amount_in), coalesce(e."amountOut", t.amount_out),
            coalesce(e."pricePerToken", t.price_per_token), e."quoteVolume"))`
    yield* takePlaces(
      sql,
      ended.flatMap(({ id, reason }) => (reason === null ? [id] : [])),
    )
  }, sql.withTransaction),
})
