import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { follow, launch, launchConfig, rollBack } from "../tokens/ChainLaunches.ts"

const recordsOf = (user: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions?userAddress=${user}&action=DEPLOY`), ({ body }) => body.transactions),
  )

layer(TestServer.layer())("Launches on chain", (it) => {
  it.effect("are recorded as DEPLOY transactions of their creators, once each", () =>
    Effect.gen(function* () {
      const one = yield* launch({ config: yield* launchConfig() })
      const foreign = yield* launch({ config: sampleAddress() })
      yield* follow
      // The same launch emitted again, as after a gap.
      yield* commitChanges(sampleChange("token", one.baseMint))
      yield* follow
      for (const { baseMint, creator, pool, signature } of [one, foreign]) {
        const records = yield* recordsOf(creator)
        assert.lengthOf(records, 1)
        assert.deepInclude(records[0], {
          ...{ userAddress: creator, txHash: signature, action: "DEPLOY", baseToken: baseMint, quoteToken: SOL },
          ...{ amountIn: "0", amountOut: "1000000000.000001", pricePerToken: "0", slippageBps: "0", fee: "0" },
          ...{ status: "success", chain: "solana", poolAddress: pool, createdAt: "2026-11-01T00:00:00.000Z" },
        })
      }
    }),
  )

  it.effect("lose their record when they are rolled back, and get another one when they land again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = yield* launch({ config: yield* launchConfig() })
      yield* follow
      yield* rollBack(one)
      assert.lengthOf(yield* recordsOf(one.creator), 0)
      const again = yield* launch({
        config: sampleAddress(),
        pool: one.pool,
        baseMint: one.baseMint,
        creator: one.creator,
      })
      yield* follow
      assert.deepInclude((yield* recordsOf(one.creator))[0], { txHash: again.signature })
      // In another transaction, when the individual changes are unknown.
      const other = sampleSignature()
      yield* sql`update dbc_events set signature = ${other} where pool = ${one.pool}`
      yield* sql`update server_progress set must_start_over = true where name = 'registry'`
      yield* follow
      const records = yield* recordsOf(one.creator)
      assert.lengthOf(records, 1)
      assert.deepInclude(records[0], { txHash: other })
    }),
  )

  it.effect("are not recorded again after a client deleted the record", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const one = yield* launch({ config: sampleAddress() })
      yield* follow
      const [{ id }] = yield* recordsOf(one.creator)
      assert.strictEqual((yield* request(`/api/transactions/${id}`, { method: "DELETE" })).status, 200)
      yield* sql`update server_progress set must_start_over = true where name = 'registry'`
      yield* follow
      assert.lengthOf(yield* recordsOf(one.creator), 0)
    }),
  )
})
