import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL } from "../../../service/test/Samples.ts"
import { unsettledRecords } from "../../src/transactions/UnsettledRecords.ts"
import { PLAN_MODES, planNodes, rowsReadBy } from "../PlanNodes.ts"

const RECORDS = 20_000

layer(TestDatabase.layer)("Among many records that have ended", (it) => {
  it.effect("those that the chain is asked about are found by an index that has only them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, is_reported, chain, pool_address, created_at, updated_at)
        select gen_random_uuid(), '', n::text, 'BUY', '', ${SOL}, 1, 1, 1, 1, 1, '',
          case when n % 4000 = 1 then 'pending' when n % 2 = 0 then 'failed' else 'success' end,
          n % 4000 = 2 or n % 4000 = 3, 'solana', 'pool', date '2026-01-01' + n * interval '1 minute', now()
        from generate_series(1, ${RECORDS}::int) n`
      yield* sql`analyze transactions`
      const { page } = unsettledRecords(sql)
      const [newest] = yield* page(undefined, 1)
      for (const mode of PLAN_MODES)
        for (const [statement, rows] of [
          [page(undefined, 256), 15],
          [page(newest, 256), 14],
          [page(undefined, 5), 5],
        ] as const) {
          const [node, ...others] = (yield* planNodes(mode, statement)).filter(
            (each) => each["Relation Name"] !== undefined,
          )
          assert.strictEqual(node!["Index Name"], "transactions_unsettled")
          assert.lengthOf(others, 0)
          assert.isAtMost(rowsReadBy(node!), rows)
        }
    }),
  )
})
