import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readingOf } from "../PreparedPlans.ts"
import { recordedWindowStatements } from "../../src/transactions/RecordedWindows.ts"

const RECORDS = 50_000
const START = Date.parse("2026-11-01T00:00:00Z")

/** Records of ten days, every 17 seconds. Nearly all of them count, so that to read all can look cheap where bounds are not known. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
      price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
    select gen_random_uuid(), 'user' || n % 900, '', case when n % 50 = 7 then 'BRIDGE' when n % 5 < 2 then 'SELL' else 'BUY' end,
      'coin' || n % 700, 'quote', 1, 1, 1, 1, 1, '', case when n % 33 = 0 then 'failed' else 'success' end, 'solana', 'pool',
      ${new Date(START)}::timestamptz + (n * 17) * interval '1 second', now()
    from generate_series(1, ${RECORDS}::int) n`
  yield* sql`analyze transactions`
})

layer(TestDatabase.layer)("Windows of many records", (it) => {
  it.effect("are moved on by reading those that leave them, and no others", () =>
    Effect.gen(function* () {
      yield* fill
      const sql = yield* SqlClient
      const { recount, roll } = recordedWindowStatements(sql)
      const now = START + RECORDS * 17_000
      yield* sql.withTransaction(recount(new Date(now)))
      yield* sql`analyze recorded_windows, recorded_traders`
      // As if there were many more records than fit into memory.
      const slowly = sql`set local random_page_cost = 100`
      const { rows } = yield* readingOf(
        ["transactions"],
        Effect.andThen(slowly, roll(new Date(now), new Date(now + 60_000))),
      )
      // A minute has three or four of them at each edge.
      assert.isBelow(rows, 30)
      const spans = yield* sql`
        select span from (
          select span, sum(trades) as trades from recorded_windows group by span
        ) w order by trades`
      assert.deepStrictEqual(
        spans.map(({ span }) => span),
        ["5m", "1h", "6h", "24h", "7d"],
      )
    }),
  )
})
