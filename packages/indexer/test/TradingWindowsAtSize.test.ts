import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readingOf } from "../../server/test/PreparedPlans.ts"
import { MODULE_HASH } from "../src/modules/ModuleHash.ts"
import { tradingWindowStatements } from "../src/sink/TradingWindows.ts"
import { testIndex } from "./TestIndex.ts"

const TRADES = 60_000
const START = Date.parse("2026-11-01T00:00:00Z")
const SECONDS = 15
/** Trades that come while windows are counted. */
const NEW = 4

/** Trades `from` to `to`, one a slot and every {@link SECONDS}, as the sink writes them, and where the log has them. */
const trade = Effect.fn(function* (from: number, to: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, block_time)
    select n::bigint << 32, 'signature' || n, 'pool', 'coin' || n % 700, 'quote', 'trader' || n % 900, 'BUY', 1, 1, 1, 1,
      ${new Date(START)}::timestamptz + n * ${SECONDS}::int * interval '1 second'
    from generate_series(${from}::int, ${to}::int) n`
  yield* sql`
    insert into inbox_transactions (slot, signature, log_offset, position)
    select n, 'signature' || n, n, 0 from generate_series(${from}::int, ${to}::int) n`
  yield* sql`
    update indexer_progress set module_hash = ${MODULE_HASH}, log_offset = ${to}, slot = ${to}`
})

describe("Windows of many trades", () => {
  it.live("are moved on by reading those that come and leave them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { refresh } = tradingWindowStatements(sql)
      const at = (n: number) => new Date(START + n * SECONDS * 1_000)
      yield* trade(1, TRADES)
      // As autovacuum does.
      yield* sql`select brin_summarize_new_values('inbox_transactions_log_offset')`
      assert.strictEqual(yield* refresh(at(TRADES)), "recounted")
      yield* sql`analyze trades, inbox_transactions, trading_windows, trading_traders`
      yield* trade(TRADES + 1, TRADES + NEW)
      /** Pages of the primary key of trades that were read in this transaction, which rows do not show. */
      const pagesOfKeys = Effect.map(
        sql<{ readonly pages: number }>`select pg_stat_get_xact_blocks_fetched('trades_pkey'::regclass)::int as pages`,
        ([row]) => row!.pages,
      )
      /** Rows of a table that moving on reads; what it wrote is rolled back. */
      const rowsOf = (table: string) =>
        Effect.gen(function* () {
          yield* sql`set transaction isolation level repeatable read`
          const before = yield* pagesOfKeys
          const { found, rows } = yield* readingOf([table], refresh(at(TRADES + NEW)))
          assert.strictEqual(found, "rolled")
          // Looked up slot by slot: the root, a page below it and some leaves for each trade, not all leaves.
          assert.isBelow((yield* pagesOfKeys) - before, 100)
          return yield* Effect.fail(rows)
        }).pipe(sql.withTransaction, Effect.flip)
      assert.isBelow(Number(yield* rowsOf("trades")), 300)
      // The index of the log knows ranges of 128 pages.
      assert.isBelow(Number(yield* rowsOf("inbox_transactions")), TRADES / 2)
      // A few for each trade that came or left a span.
      assert.isBelow(Number(yield* rowsOf("trading_windows")), 150)
      assert.isBelow(Number(yield* rowsOf("trading_traders")), 150)
    }).pipe(Effect.provide(testIndex)),
  )
})
