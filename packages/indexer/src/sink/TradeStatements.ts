import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Candle } from "../modules/CandleFold.ts"
import type { TradeRow } from "../modules/FactRows.ts"
import { bigintArray, numericArray, textArray } from "../sql/ArrayParameter.ts"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { mergeCandles, type TouchedMinute } from "./CandleStatements.ts"
import type { LogEntry } from "./InboxStatements.ts"

/** Written as null: a reserve is never negative. */
const NONE = -1n

/** SQL of `trades`: rows are inserted and deleted, never updated. */
export const tradeStatements = (sql: SqlClient) => ({
  /** Returns how many were new. `candles` are those of all rows, merged in the same round trip. */
  insert: (rows: ReadonlyArray<TradeRow>, candles: ReadonlyArray<Candle>) =>
    Effect.map(
      sql<{ readonly inserted: number }>`
        with inserted as (
          insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, quote_reserve, block_time, venue)
          select ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, nullif(quote_reserve, ${NONE}::numeric), to_timestamp(block_time), venue
          from unnest(
            ${bigintArray(rows.map(({ ordinal }) => ordinal))}::bigint[], ${textArray(rows.map(({ signature }) => signature))}::text[],
            ${textArray(rows.map(({ pool }) => pool))}::text[], ${textArray(rows.map(({ baseMint }) => baseMint))}::text[],
            ${textArray(rows.map(({ quoteMint }) => quoteMint))}::text[], ${textArray(rows.map(({ trader }) => trader))}::text[],
            ${textArray(rows.map(({ side }) => side))}::text[], ${numericArray(rows.map(({ baseAmount }) => baseAmount))}::numeric[],
            ${numericArray(rows.map(({ quoteAmount }) => quoteAmount))}::numeric[], ${numericArray(rows.map(({ fee }) => fee))}::numeric[],
            ${textArray(rows.map(({ nextSqrtPrice }) => String(nextSqrtPrice)))}::numeric[],
            ${numericArray(rows.map(({ quoteReserve }) => quoteReserve ?? NONE))}::numeric[],
            ${bigintArray(rows.map(({ blockTime }) => BigInt(blockTime)))}::bigint[],
            ${textArray(rows.map(({ venue }) => venue))}::text[]
          ) as t(ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
            next_sqrt_price, quote_reserve, block_time, venue)
          on conflict (ordinal, signature) do nothing
          returning 1
        ), merged as (${mergeCandles(sql, candles)})
        select count(*)::integer as inserted from inserted`,
      ([row]) => row!.inserted,
    ),

  /**
   * Deletes the trades of these transactions, and notes them for the trading windows; returns the candles they were part of. Looked up slot by slot: in
   * one join, the planner would read the whole table.
   */
  deleteOf: (entries: ReadonlyArray<LogEntry>) =>
    sql<TouchedMinute>`
      with gone as (
        delete from trades t
        using (
          select f.ordinal, f.signature, d.log_offset
          from unnest(
            ${entries.map(({ slot }) => firstOrdinalOf(slot))}::bigint[], ${entries.map(({ slot }) => firstOrdinalOf(slot + 1n))}::bigint[],
            ${entries.map(({ signature }) => signature)}::text[], ${entries.map(({ logOffset }) => logOffset)}::bigint[]
          ) as d(first, beyond, signature, log_offset)
          cross join lateral (
            select ordinal, signature from trades
            where ordinal >= d.first and ordinal < d.beyond and signature = d.signature offset 0
          ) f
        ) d
        where t.ordinal = d.ordinal and t.signature = d.signature
        returning t.*, d.log_offset
      ), noted as (
        insert into trading_reverts (ordinal, signature, log_offset, base_mint, trader, quote_amount, block_time)
        select ordinal, signature, log_offset, base_mint, trader, quote_amount, block_time from gone
      )
      select distinct base_mint, date_trunc('minute', block_time) as minute from gone`,
})
