import { assert, layer } from "@effect/vitest"
import { TransactionDraft } from "@launch-registry/domain/transactions/Transaction"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { over, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { Transactions } from "../../src/transactions/Transactions.ts"
import { SOL, sampleAddress, sampleSignature, transactionDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { recordNode } from "./RecordNode.ts"

let ordinal = 1n

/** Trades as the indexer writes them, one for each signature. */
const indexTrades = Effect.fn(function* (baseMint: string, signatures: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const first = ordinal
  ordinal += BigInt(signatures.length)
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, block_time)
    select ${first}::bigint + n - 1, signature, '', ${baseMint}, ${SOL}, '', 'BUY', 1, 1, 0, 1, now()
    from unnest(${signatures}::text[]) with ordinality as s(signature, n)`
})

const create = Effect.fn(function* (fields: Readonly<Record<string, unknown>>) {
  const { request } = yield* TestServer
  const { body, status } = yield* request("/api/transactions", { json: transactionDraft(fields) })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body.transaction
})

const statusOf = (id: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction.status as string),
  )

/** One poll of a node that knows nothing. */
const askInVain = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { node } = yield* recordNode()
  yield* Effect.gen(function* () {
    yield* untilState("primary", "closed")
    yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
    yield* yield* pollStatuses
  }).pipe(Effect.provide(over([node.url])))
})

layer(TestServer.layer(), { excludeTestServices: true })("A record whose trade has been indexed", (it) => {
  it.effect("is created as success, only with its own mint, signature and chain", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [baseToken, txHash] = [sampleAddress(), sampleSignature()]
      yield* indexTrades(baseToken, [sampleSignature(), txHash, sampleSignature()])
      const made = yield* create({ baseToken, txHash })
      assert.strictEqual(made.status, "success")
      assert.isNull(made.statusReason)
      assert.deepStrictEqual((yield* request(`/api/transactions/${made.id}`)).body.transaction, made)
      assert.strictEqual((yield* create({ baseToken, txHash, action: "SELL" })).status, "success")
      for (const fields of [
        { baseToken, txHash: sampleSignature() },
        { baseToken: sampleAddress(), txHash },
        { baseToken, txHash, chain: "near" },
      ])
        assert.strictEqual((yield* create(fields)).status, "pending")
    }),
  )

  it.effect("is searched for among the newest thousand trades of its mint", () =>
    Effect.gen(function* () {
      const [baseToken, first, second] = [sampleAddress(), sampleSignature(), sampleSignature()]
      yield* indexTrades(baseToken, [first, second, ...Array.from({ length: 999 }, sampleSignature)])
      assert.strictEqual((yield* create({ baseToken, txHash: second })).status, "success")
      assert.strictEqual((yield* create({ baseToken, txHash: first })).status, "pending")
    }),
  )

  it.effect("is not missed when it is committed after the follower passed the trade", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [baseToken, txHash] = [sampleAddress(), sampleSignature()]
      const draft = yield* Schema.decodeUnknownEffect(TransactionDraft)(transactionDraft({ baseToken, txHash }))
      const [isCreated, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const creation = yield* Effect.gen(function* () {
        const { id } = yield* (yield* Transactions).create(draft)
        yield* Deferred.succeed(isCreated, undefined)
        yield* Deferred.await(mayCommit)
        return id
      }).pipe(sql.withTransaction, Effect.provide(Transactions.layer), Effect.forkScoped)
      yield* Deferred.await(isCreated)
      yield* indexTrades(baseToken, [txHash])
      yield* commitChanges(sampleChange("trade", baseToken, { signature: txHash }))
      const step = yield* followIndex
      while (yield* step) continue
      yield* Deferred.succeed(mayCommit, undefined)
      const id = yield* Fiber.join(creation)
      assert.strictEqual(yield* statusOf(id), "pending")
      yield* askInVain
      assert.strictEqual(yield* statusOf(id), "success")
    }),
  )

  it.effect("ends by the last change of its signature, whatever is followed in one batch", () =>
    Effect.gen(function* () {
      const baseToken = sampleAddress()
      const made = yield* Effect.forEach([1, 2, 3], () => create({ baseToken, txHash: sampleSignature() }))
      const [again, gone, twice] = made.map(({ txHash }) => txHash as string)
      const trade = (signature?: string) => sampleChange("trade", baseToken, { signature })
      const revert = (signature?: string) => sampleChange("revert", "", { signature })
      const step = yield* followIndex
      yield* commitChanges(trade(again))
      while (yield* step) continue
      yield* commitChanges(revert(again), trade(gone))
      yield* commitChanges(trade(again), revert(gone))
      for (const change of [trade, revert, trade, trade]) yield* commitChanges(change(twice))
      while (yield* step) continue
      const statuses = yield* Effect.forEach(made, ({ id }) => statusOf(id))
      assert.deepStrictEqual(statuses, ["success", "pending", "success"])
    }),
  )

  it.effect("does not expire, however old it is and whatever nodes answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [baseToken, txHash] = [sampleAddress(), sampleSignature()]
      const { id } = yield* create({ baseToken, txHash, lastValidBlockHeight: 3_999 })
      const other = yield* create({ baseToken, txHash: sampleSignature(), lastValidBlockHeight: 3_999 })
      yield* sql`update transactions set created_at = created_at - interval '2 days' where base_token = ${baseToken}`
      yield* indexTrades(baseToken, [txHash])
      yield* askInVain
      assert.deepStrictEqual([yield* statusOf(id), yield* statusOf(other.id)], ["success", "failed"])
    }),
  )
})
