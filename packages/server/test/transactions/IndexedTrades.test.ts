import { assert, layer } from "@effect/vitest"
import { TransactionDraft } from "@launch-registry/domain/transactions/Transaction"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { over, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { Transactions } from "../../src/transactions/Transactions.ts"
import { sampleAddress, sampleSignature, sampleWallet, SOL, transactionDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { draftOfTrade, indexPool, indexTrade } from "./IndexTrades.ts"
import { recordNode } from "./RecordNode.ts"
import { counted, endOf, followTrade, post as postRecord, read, report } from "./Expiring.ts"

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
    yield* sql`update server_progress set done_at = '-infinity' where name = 'statuses'`
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

  it.effect(
    "of a trade has one record of a user, a transaction and an action, and each recording of it answers that one",
    () =>
      Effect.gen(function* () {
        const trade = { ...(yield* indexPool()), signature: sampleSignature(), trader: sampleWallet() }
        const draft = draftOfTrade({ ...trade, quoteMint: sampleAddress(), side: "BUY" })
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => postRecord({ ...draft, amountIn: 1.2 })),
          { concurrency: 8 },
        )
        assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
        const ids = new Set(answers.map(({ body }) => body.transaction.id as string))
        assert.lengthOf([...ids], 1)
        const [id] = [...ids]
        // Other users, actions and chains have records of their own.
        for (const other of [{ userAddress: sampleWallet() }, { action: "SELL" }, { chain: "near" }])
          assert.notInclude(ids, (yield* postRecord({ ...draft, ...other })).body.transaction.id)
        // An estimate of before is answered as it has become, also by the same request again.
        yield* indexTrade({ ...trade, quoteMint: draft.quoteToken })
        const { request } = yield* TestServer
        const again = yield* postRecord({ ...draft, amountIn: 1.2 })
        assert.deepStrictEqual([again.status, again.body.transaction.id], [201, id])
        // What another record has cannot become the hash of this one.
        const other = (yield* postRecord({ ...draft, txHash: sampleSignature() })).body.transaction
        const moved = yield* report(other.id, { status: "failed", txHash: draft.txHash })
        assert.deepStrictEqual([moved.status, moved.body.code], [409, "already_exists"])
        assert.strictEqual(moved.body.details.id, id)
        yield* request(`/api/transactions/${id}`, { method: "DELETE" })
        const later = yield* report(other.id, { status: "failed", txHash: sampleSignature() })
        assert.strictEqual(later.status, 200)
      }),
  )

  it.effect("of a trade has one record beside that of another trade, however many record it at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { create: createRecord } = yield* Transactions
      const fields = transactionDraft({ txHash: sampleSignature() })
      yield* postRecord(fields)
      const draft = yield* Schema.decodeUnknownEffect(TransactionDraft)({ ...fields, poolAddress: sampleAddress() })
      const [isWritten, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = yield* createRecord(draft).pipe(
        Effect.tap(() => Deferred.succeed(isWritten, undefined)),
        Effect.tap(() => Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(isWritten)
      const second = yield* Effect.forkChild(createRecord(draft))
      const waiting = sql`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%from transactions t%'`
      while ((yield* waiting).length === 0 && second.pollUnsafe() === undefined) continue
      yield* Deferred.succeed(mayCommit, undefined)
      assert.strictEqual((yield* Fiber.join(second)).id, (yield* Fiber.join(first)).id)
    }).pipe(Effect.provide(Transactions.layer)),
  )

  it.effect(
    "of a trade keeps no place from the true record, whoever wrote it first, before the trade is indexed and after",
    () =>
      Effect.gen(function* () {
        const idOf = Effect.fn(function* (fields: Readonly<Record<string, unknown>>) {
          const { body, status } = yield* postRecord(fields)
          assert.strictEqual(status, 201, JSON.stringify(body))
          return { id: body.transaction.id as string }
        })
        const wrongs = [{ poolAddress: sampleAddress() }, { baseToken: sampleAddress() }]

        const known = { ...(yield* indexPool()), signature: sampleSignature(), trader: sampleWallet(), quoteMint: SOL }
        const early = draftOfTrade({ ...known, side: "BUY" })
        const [wrong, other, own] = [
          yield* idOf({ ...early, ...wrongs[0], amountIn: "1e30" }),
          yield* idOf({ ...early, ...wrongs[1] }),
          yield* idOf(early),
        ]
        assert.deepStrictEqual(yield* idOf(early), own)
        yield* followTrade(yield* indexTrade(known))
        assert.deepStrictEqual(yield* idOf(early), own)
        assert.deepInclude(yield* read(own), { status: "success", amountIn: "1.5" })
        assert.deepStrictEqual(yield* counted(known.baseMint), [1, "1.5"])
        for (const one of [wrong, other]) assert.strictEqual((yield* endOf(one))[0], "failed")

        for (const reported of [undefined, "success", "failed"]) {
          const late = { ...known, ...(yield* indexPool()), signature: sampleSignature() }
          const draft = draftOfTrade({ ...late, side: "BUY" })
          const before = yield* idOf({ ...draft, ...wrongs[0], amountIn: "1e30" })
          if (reported !== undefined) yield* report(before.id, { status: reported })
          const moving = yield* idOf({ ...draft, txHash: sampleSignature() })
          const beside = reported === "success" ? yield* idOf(draft) : undefined
          const trade = yield* indexTrade(late)
          // The one that the index agrees with has the place, and counts.
          const after =
            reported === "failed"
              ? (yield* report(moving.id, { status: "success", txHash: draft.txHash })).body.transaction
              : beside !== undefined
                ? (yield* report(beside.id, { status: "success" })).body.transaction
                : (yield* postRecord(draft)).body.transaction
          assert.deepInclude(after, { status: "success", amountIn: "1.5", txHash: draft.txHash })
          assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
          yield* followTrade(trade)
          assert.strictEqual((yield* endOf(before))[0], "failed")
          assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
        }
      }),
  )

  it.effect("of a trade has no second record of a trade that the chain has confirmed", () =>
    Effect.gen(function* () {
      const trade = yield* indexTrade(yield* indexPool())
      const draft = draftOfTrade(trade)
      const { body: first } = yield* postRecord(draft)
      const paidOtherwise = yield* postRecord({ ...draft, quoteToken: sampleAddress() })
      assert.deepStrictEqual(
        [paidOtherwise.status, paidOtherwise.body.code, paidOtherwise.body.details.id],
        [409, "already_exists", first.transaction.id],
      )
    }),
  )
})
