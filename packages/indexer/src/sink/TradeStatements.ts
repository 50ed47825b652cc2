import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Candle } from "../modules/CandleFold.ts"
import type { TradeRow } from "../modules/FactRows.ts"
import { mergeCandles, type TouchedMinute } from "./CandleStatements.ts"
import { deleteFacts, insertFacts } from "./FactTables.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"

/** SQL of `trades`: rows are inserted and deleted, never updated. */
export const tradeStatements = (sql: SqlClient) => ({
  /** Returns how many were new. `candles` are those of all rows, merged in the same round trip. */
  insert: (rows: ReadonlyArray<TradeRow>, candles: ReadonlyArray<Candle>) =>
    Effect.map(
      sql<{ readonly inserted: number }>`
        with inserted as (${insertFacts(sql, "trades", rows)} returning 1), merged as (${mergeCandles(sql, candles)})
        select count(*)::integer as inserted from inserted`,
      ([row]) => row!.inserted,
    ),

  /** Deletes the trades of these transactions; returns the candles they were part of. */
  deleteOf: (entries: ReadonlyArray<LogEntry>) => sql<TouchedMinute>`
    with gone as (${deleteFacts(sql, "trades", entries)} returning t.base_mint, t.block_time)
    select distinct base_mint, date_trunc('minute', block_time) as minute from gone`,
})
