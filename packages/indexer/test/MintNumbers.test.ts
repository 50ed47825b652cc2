import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { forgetChain } from "../src/identity/ForgetChain.ts"
import type { Fence } from "../src/leader/Lease.ts"
import { mintNumbers } from "../src/sink/MintNumbers.ts"
import { tradingWindowStatements } from "../src/sink/TradingWindows.ts"
import { spreadChain, START } from "./SpreadChain.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

/** Receives and folds a chain, and moves the windows on to its end, or recounts them. */
const index = (fence: Fence, { end, transactions }: Pick<ReturnType<typeof spreadChain>, "end" | "transactions">) =>
  Effect.gen(function* () {
    yield* receiveTransactions(transactions)
    yield* fold(fence)
    return yield* tradingWindowStatements(yield* SqlClient).refresh(fence, new Date(end * 1000))
  })

describe("Numbers of mints", () => {
  it.live.each(["moved on", "recounted"])("are in the order of the launches when windows are %s", (how) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      if (how === "moved on") yield* tradingWindowStatements(sql).refresh(fence, new Date(START * 1000))
      assert.strictEqual(yield* index(fence, spreadChain(6)), how === "moved on" ? "rolled" : "recounted")
      const slots = yield* sql<{ readonly slot: bigint }>`
        select min(created_slot) as slot from mint_numbers join dbc_pools using (base_mint) group by number order by number`
      assert.isAbove(slots.length, 5)
      assert.deepStrictEqual(
        slots,
        slots.toSorted((one, other) => Number(one.slot - other.slot)),
      )
      // What is traded without a known launch is numbered next.
      yield* sql`
        insert into trading_windows (span, base_mint, traders, trades, quote_volume) values ('5m', 'unknown', 1, 1, 1), ('1h', 'unknown', 1, 1, 1)`
      const [known] = yield* sql<{ readonly isNext: boolean }>`
        select bool_and(mint_number = number and number = (select max(number) from mint_numbers)) as is_next
        from trading_windows join mint_numbers using (base_mint) where base_mint = 'unknown'`
      assert.isTrue(known!.isNext)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("are looked up for new launches alone, however many there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* sql`insert into mint_numbers (base_mint) select 'earlier' || n from generate_series(1, 5000) n`
      yield* receiveTransactions(spreadChain(6).transactions)
      yield* fold(fence)
      yield* sql`analyze mint_numbers, inbox_transactions, dbc_events, dbc_pools`
      // The planner believes that each slot has thousands.
      yield* sql`update pg_class set reltuples = 1000000, relpages = 1 where oid = 'dbc_events'::regclass`
      const readOf = sql<{ readonly rows: number }>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
        from pg_stat_xact_user_tables where relname = 'mint_numbers'`
      const { added, rows } = yield* Effect.gen(function* () {
        const [before] = yield* readOf
        const added = yield* sql<{ readonly count: number }>`select count(*)::int as count from dbc_pools`
        yield* mintNumbers(sql).numberReceived(-1n, 1_000_000n)
        const [after] = yield* readOf
        return { added: added[0]!.count, rows: after!.rows - before!.rows }
      }).pipe(sql.withTransaction)
      assert.isAbove(added, 5)
      assert.isAtMost(rows, 2 * added)
      const [numbered] = yield* sql<{ readonly count: number }>`
        select count(*)::int as count from mint_numbers join dbc_pools using (base_mint)`
      assert.strictEqual(numbered!.count, added)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("stay when the chain is forgotten: tokens have them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const chain = spreadChain(6)
      const fence = yield* lead
      const numbers = sql`select base_mint, number from mint_numbers order by number`
      yield* index(fence, chain)
      const before = yield* numbers
      yield* forgetChain(fence)
      assert.deepStrictEqual(yield* numbers, before)
      yield* index(fence, chain)
      assert.deepStrictEqual(yield* numbers, before)
      assert.isAbove(before.length, 5)
    }).pipe(Effect.provide(testIndex)),
  )
})
