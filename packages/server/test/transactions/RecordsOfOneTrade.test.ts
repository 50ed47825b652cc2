import { assert, layer } from "@effect/vitest"
import { TransactionDraft } from "@launch-registry/domain/transactions/Transaction"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, sampleSignature, sampleWallet, transactionDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { Transactions } from "../../src/transactions/Transactions.ts"
import { counted, endOf, followTrade, post, read, report } from "./Expiring.ts"
import { draftOfTrade, indexPool, indexTrade } from "./IndexTrades.ts"

layer(TestServer.layer(), { excludeTestServices: true })("A trade", (it) => {
  it.effect("has one record of a user, a transaction and an action, and each recording of it answers that one", () =>
    Effect.gen(function* () {
      const trade = { ...(yield* indexPool()), signature: sampleSignature(), trader: sampleWallet() }
      const draft = draftOfTrade({ ...trade, quoteMint: sampleAddress(), side: "BUY" })
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => post({ ...draft, amountIn: 1.2 })),
        { concurrency: 8 },
      )
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      const ids = new Set(answers.map(({ body }) => body.transaction.id as string))
      assert.lengthOf([...ids], 1)
      const [id] = [...ids]
      // Other users, actions and chains have records of their own.
      for (const other of [{ userAddress: sampleWallet() }, { action: "SELL" }, { chain: "near" }])
        assert.notInclude(ids, (yield* post({ ...draft, ...other })).body.transaction.id)
      // An estimate of before is answered as it has become, also by the same request again.
      yield* indexTrade({ ...trade, quoteMint: draft.quoteToken })
      const { request } = yield* TestServer
      const again = yield* post({ ...draft, amountIn: 1.2 })
      assert.deepStrictEqual([again.status, again.body.transaction.id], [201, id])
      // What another record has cannot become the hash of this one.
      const other = (yield* post({ ...draft, txHash: sampleSignature() })).body.transaction
      const moved = yield* report(other.id, { status: "failed", txHash: draft.txHash })
      assert.deepStrictEqual([moved.status, moved.body.code], [409, "already_exists"])
      assert.strictEqual(moved.body.details.id, id)
      yield* request(`/api/transactions/${id}`, { method: "DELETE" })
      const later = yield* report(other.id, { status: "failed", txHash: sampleSignature() })
      assert.strictEqual(later.status, 200)
    }),
  )

  it.effect("has one record beside that of another trade, however many record it at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { create } = yield* Transactions
      const fields = transactionDraft({ txHash: sampleSignature() })
      yield* post(fields)
      const draft = yield* Schema.decodeUnknownEffect(TransactionDraft)({ ...fields, poolAddress: sampleAddress() })
      const [isWritten, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = yield* create(draft).pipe(
        Effect.tap(() => Deferred.succeed(isWritten, undefined)),
        Effect.tap(() => Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(isWritten)
      const second = yield* Effect.forkChild(create(draft))
      const waiting = sql`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%from transactions t%'`
      while ((yield* waiting).length === 0 && second.pollUnsafe() === undefined) continue
      yield* Deferred.succeed(mayCommit, undefined)
      assert.strictEqual((yield* Fiber.join(second)).id, (yield* Fiber.join(first)).id)
    }).pipe(Effect.provide(Transactions.layer)),
  )

  it.effect("keeps no place from the true record, whoever wrote it first, before the trade is indexed and after", () =>
    Effect.gen(function* () {
      const idOf = Effect.fn(function* (fields: Readonly<Record<string, unknown>>) {
        const { body, status } = yield* post(fields)
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
              : (yield* post(draft)).body.transaction
        assert.deepInclude(after, { status: "success", amountIn: "1.5", txHash: draft.txHash })
        assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
        yield* followTrade(trade)
        assert.strictEqual((yield* endOf(before))[0], "failed")
        assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
      }
    }),
  )

  it.effect("has no second record of a trade that the chain has confirmed", () =>
    Effect.gen(function* () {
      const trade = yield* indexTrade(yield* indexPool())
      const draft = draftOfTrade(trade)
      const { body: first } = yield* post(draft)
      const paidOtherwise = yield* post({ ...draft, quoteToken: sampleAddress() })
      assert.deepStrictEqual(
        [paidOtherwise.status, paidOtherwise.body.code, paidOtherwise.body.details.id],
        [409, "already_exists", first.transaction.id],
      )
    }),
  )
})
