import { assert, layer } from "@effect/vitest"
import { TransactionDraft } from "@launch-registry/domain/transactions/Transaction"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { over, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { Transactions } from "../../src/transactions/Transactions.ts"
import { SOL, sampleSignature, sampleWallet, transactionDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { draftOfTrade, indexPool, indexTrade } from "./IndexTrades.ts"
import { recordNode } from "./RecordNode.ts"

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
      const trade = yield* indexTrade(yield* indexPool())
      const draft = draftOfTrade(trade)
      const made = yield* create(draft)
      assert.strictEqual(made.status, "success")
      assert.isNull(made.statusReason)
      assert.deepStrictEqual((yield* request(`/api/transactions/${made.id}`)).body.transaction, made)
      for (const fields of [{ txHash: sampleSignature() }, { chain: "near" }])
        assert.strictEqual((yield* create({ ...draft, ...fields })).status, "pending")
    }),
  )

  it.effect("is searched for among the newest thousand trades of its mint, and of its user", () =>
    Effect.gen(function* () {
      const pool = yield* indexPool()
      const [first, second] = [yield* indexTrade(pool), yield* indexTrade(pool)]
      for (let more = 0; more < 999; more++) yield* indexTrade({ ...pool, trader: "other" })
      const stranger = sampleWallet()
      const { request } = yield* TestServer
      const post = (fields: Readonly<Record<string, unknown>>) =>
        request("/api/transactions", { json: transactionDraft(fields) })
      assert.strictEqual((yield* post({ ...draftOfTrade(second), userAddress: stranger })).status, 409)
      assert.strictEqual((yield* create({ ...draftOfTrade(first), userAddress: stranger })).status, "pending")
      assert.strictEqual((yield* create(draftOfTrade(first))).status, "success")
    }),
  )

  it.effect("is not missed when it is committed after the follower passed the trade", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pool = yield* indexPool()
      const trade = { ...pool, quoteMint: SOL, side: "BUY", signature: sampleSignature(), trader: sampleWallet() }
      const draft = yield* Schema.decodeUnknownEffect(TransactionDraft)(transactionDraft(draftOfTrade(trade)))
      const [isCreated, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const creation = yield* Effect.gen(function* () {
        const { id } = yield* (yield* Transactions).create(draft)
        yield* Deferred.succeed(isCreated, undefined)
        yield* Deferred.await(mayCommit)
        return id
      }).pipe(sql.withTransaction, Effect.provide(Transactions.layer), Effect.forkScoped)
      yield* Deferred.await(isCreated)
      const { slot } = yield* indexTrade(trade)
      yield* commitChanges(sampleChange("trade", trade.baseMint, { signature: trade.signature, slot: String(slot) }))
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
      const pool = yield* indexPool()
      const made = yield* Effect.forEach([1, 2, 3], () =>
        create({
          baseToken: pool.baseMint,
          poolAddress: pool.pool,
          userAddress: sampleWallet(),
          txHash: sampleSignature(),
        }),
      )
      for (const { txHash: signature, userAddress: trader } of made)
        yield* indexTrade({ ...pool, signature, trader, slot: 7 })
      const [again, gone, twice] = made.map(({ txHash }) => txHash as string)
      const trade = (signature?: string) => sampleChange("trade", pool.baseMint, { signature, slot: "7" })
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
})
