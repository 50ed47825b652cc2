import { assert, layer } from "@effect/vitest"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { over, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { age, AGED, askOf, endOf, EXPIRED, nextSignature, PENDING, record } from "./Expiring.ts"
import { landed, recordNode } from "./RecordNode.ts"

layer(TestServer.layer(), { excludeTestServices: true })("A record without a block height", (it) => {
  it.effect("fails an hour after it was recorded when no node knows it, however old it is", () =>
    Effect.gen(function* () {
      const [young, hours, week, known] = [yield* record(), yield* record(), yield* record(), yield* record()]
      yield* age(hours, 2)
      yield* age(week, 7 * 24)
      yield* age(known, 7 * 24)
      yield* askOf([yield* recordNode(), yield* recordNode({ statuses: { [known.txHash]: landed } })])
      assert.deepStrictEqual(yield* endOf(young), PENDING)
      assert.deepStrictEqual(yield* endOf(hours), AGED)
      assert.deepStrictEqual(yield* endOf(week), AGED)
      assert.deepStrictEqual(yield* endOf(known), ["success", null])
    }),
  )

  it.effect("includes one with an impossible block height", () =>
    Effect.gen(function* () {
      const [absurd, halted] = [
        yield* record({ lastValidBlockHeight: "18446744073709551615" }),
        yield* record({ lastValidBlockHeight: 4_100 }),
      ]
      yield* age(absurd, 2)
      yield* age(halted, 2)
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(absurd), AGED)
      assert.deepStrictEqual(yield* endOf(halted), PENDING)
    }),
  )

  it.effect("does not age while the chain is stuck", () =>
    Effect.gen(function* () {
      const one = yield* record()
      yield* age(one, 5)
      yield* askOf([yield* recordNode({ finalizedMillis: () => Date.now() - 4.5 * 3_600_000 })])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(one), AGED)
    }),
  )

  it.effect("stays pending while a node's history begins less than an hour before it", () =>
    Effect.gen(function* () {
      const one = yield* record()
      yield* age(one, 5)
      const pruned = (hours: number) =>
        recordNode({ firstSlot: 4_000, firstHeight: 3_990, firstMillis: Date.now() - hours * 3_600_000 })
      yield* askOf([yield* recordNode(), yield* pruned(5.5)])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([yield* recordNode(), yield* pruned(6.5)])
      assert.deepStrictEqual(yield* endOf(one), AGED)
    }),
  )

  it.effect("fails when it can no longer land on a local chain that has only just started", () =>
    Effect.gen(function* () {
      const { call } = yield* Rpc
      const first = yield* call((kit) => kit.getFirstAvailableBlock())
      const block = yield* call((kit) => kit.getBlock(first, { transactionDetails: "none", rewards: false }))
      // The blockhash of its first block is valid for transactions.
      assert.strictEqual(block!.blockHeight, first)
      const [old, wrong, fresh] = [
        yield* record(),
        yield* record({ lastValidBlockHeight: 5 }),
        yield* record({ lastValidBlockHeight: String(first + 150n) }),
      ]
      yield* age(old, 2)
      yield* age(wrong, 2)
      const sql = yield* SqlClient
      yield* sql`update server_progress set done_at = '-infinity' where name = 'statuses'`
      yield* yield* pollStatuses
      assert.deepStrictEqual(yield* endOf(old), AGED)
      assert.match((yield* endOf(wrong))[1]!, /^expired: valid until block height 5;/)
      assert.deepStrictEqual(yield* endOf(fresh), PENDING)
    }),
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("A backlog of records", (it) => {
  it.effect("older than a day ends too, and does not delay the newest", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const old = yield* record()
      const hashes = Array.from({ length: 600 }, () => nextSignature())
      yield* sql`
        insert into transactions (id, tx_hash, user_address, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
        select gen_random_uuid(), hash, user_address, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at
        from transactions, unnest(${hashes}::text[]) as hash`
      yield* sql`update transactions set created_at = created_at - interval '3 days'`
      const fresh = yield* record({ lastValidBlockHeight: 3_999 })
      const node = yield* recordNode()
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        const ask = yield* pollStatuses
        for (let turn = 0; turn < 3; turn++) {
          yield* sql`update server_progress set done_at = '-infinity' where name = 'statuses'`
          yield* ask
          if (turn === 0) assert.deepStrictEqual(yield* endOf(fresh), EXPIRED)
        }
      }).pipe(Effect.provide(over([node.node.url])))
      const left = yield* sql`select id from transactions where status = 'pending'`
      assert.lengthOf(left, 0)
      assert.deepStrictEqual(yield* endOf(old), AGED)
    }),
  )
})
