import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Candle } from "../modules/CandleFold.ts"
import type { DbcTrade } from "../modules/DbcTrade.ts"
import { bigintArray, numericArray, textArray } from "../sql/ArrayParameter.ts"
import { mergeCandles, type TouchedMinute } from "./CandleStatements.ts"

/** Written as null: a reserve is never negative. */
const NONE = -1n

/** SQL of `trades`: rows are inserted and deleted, never updated. */
export const tradeStatements = (sql: SqlClient) => ({
  /** Returns how many were new. `candles` are those of all rows, merged in the same round trip. */
  insert: (rows: ReadonlyArray<DbcTrade>, candles: ReadonlyArray<Candle>) =>
    Effect.map(
      sql<{ readonly inserted: number }>`
        with inserted as (
          insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, quote_reserve, block_time)
          select ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, nullif(quote_reserve, ${NONE}::numeric), to_timestamp(block_time)
          from unnest(
            ${bigintArray(rows.map(({ ordinal }) => ordinal))}::bigint[], ${textArray(rows.map(({ signature }) => signature))}::text[],
            ${textArray(rows.map(({ pool }) => pool))}::text[], ${textArray(rows.map(({ baseMint }) => baseMint))}::text[],
            ${textArray(rows.map(({ quoteMint }) => quoteMint))}::text[], ${textArray(rows.map(({ trader }) => trader))}::text[],
            ${textArray(rows.map(({ side }) => side))}::text[], ${numericArray(rows.map(({ baseAmount }) => baseAmount))}::numeric[],
            ${numericArray(rows.map(({ quoteAmount }) => quoteAmount))}::numeric[], ${numericArray(rows.map(({ fee }) => fee))}::numeric[],
            ${textArray(rows.map(({ nextSqrtPrice }) => String(nextSqrtPrice)))}::numeric[],
            ${numericArray(rows.map(({ quoteReserve }) => quoteReserve ?? NONE))}::numeric[],
            ${bigintArray(rows.map(({ blockTime }) => BigInt(blockTime)))}::bigint[]
          ) as t(ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, quote_reserve, block_time)
          on conflict (ordinal, signature) do nothing
          returning 1
        ), merged as (${mergeCandles(sql, candles)})
        select count(*)::integer as inserted from inserted`,
      ([row]) => row!.inserted,
    ),

  /**
   * Deletes the trades of these transactions; returns the candles they were part of. Looked up slot by slot: in one join, the planner
   * would read the whole table.
   */
  deleteOf: (from: ReadonlyArray<bigint>, to: ReadonlyArray<bigint>, signatures: ReadonlyArray<string>) =>
    sql<TouchedMinute>`
      with gone as (
        delete from trades t
        using (
          select f.ordinal, f.signature
          from unnest(${from}::bigint[], ${to}::bigint[], ${signatures}::text[]) as d(first, beyond, signature)
          cross join lateral (
            select ordinal, signature from trades
            where ordinal >= d.first and ordinal < d.beyond and signature = d.signature offset 0
          ) f
        ) d
        where t.ordinal = d.ordinal and t.signature = d.signature
        returning t.base_mint, t.block_time
      )
      select distinct base_mint, date_trunc('minute', block_time) as minute from gone`,
})
