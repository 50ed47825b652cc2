import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { Bridge } from "../src/Bridge.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { copiedSwaps } from "./CopiedSwaps.ts"
import { refundedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

layer(TestBridge.layer())("An unpaid swap", (it) => {
  it.effect("is deleted long after anybody could have paid it, unless it was paid or reported as paid", () =>
    Effect.gen(function* () {
      const { quote, read, report, standIn, step, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const { sweep } = yield* Effect.orDie((yield* Bridge).parts)
      const sql = yield* SqlClient
      const key = { "idempotency-key": "never-paid" }
      const unpaid = (yield* quote({ dry: false }, key)).body.data
      const [reported, paid] = [yield* swap(), yield* swap()]
      yield* report(reported.depositAddress, "a".repeat(64))
      const { quote: quoted } = standIn.swapAt(paid.depositAddress).response
      standIn.tell(paid.depositAddress, [{ status: "REFUNDED", swapDetails: refundedDetails(quoted) }])
      const day = Effect.gen(function* () {
        yield* TestClock.adjust("1 day")
        while ((yield* step) > 0) continue
        return yield* sweep
      })
      const removed: Array<number> = []
      for (let at = 0; at < 18; at++) removed.push(yield* day)
      // Two weeks after its address became inactive, on the third day.
      assert.deepStrictEqual(
        removed.flatMap((rows, at) => (rows > 0 ? [[at + 1, rows]] : [])),
        [[18, 1]],
      )
      assert.strictEqual((yield* request(`/api/bridge/swaps/${unpaid.id}`)).body.code, "not_found")
      assert.strictEqual((yield* request(`/api/transactions/${unpaid.id}`)).status, 404)
      const [record] = yield* sql`select status, deleted_at from transactions where id = ${unpaid.id}::uuid`
      assert.isNotNull(record!.deletedAt)
      assert.strictEqual((yield* read(paid.id)).substatus, "refunded")
      assert.lengthOf((yield* read(reported.id)).deposits, 1)
      assert.strictEqual((yield* request(`/api/transactions/${paid.id}`)).status, 200)
      // The address is unknown now, and the key is free.
      const late = yield* report(unpaid.depositAddress, "b".repeat(64))
      assert.strictEqual(late.body.code, "not_found")
      assert.notStrictEqual((yield* quote({ dry: false }, key)).body.data.id, unpaid.id)
    }),
  )

  it.effect("is kept while it is still polled or locked, and batches are small", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { sweep } = yield* Effect.orDie((yield* Bridge).parts)
      const sql = yield* SqlClient
      const { id } = yield* swap()
      yield* copiedSwaps(id, 300)
      yield* TestClock.adjust("30 days")
      // They were not polled since, so they may have been paid.
      assert.strictEqual(yield* sweep, 0)
      yield* sql`update bridge_swaps set next_poll_at = null, status = 'failed', substatus = 'expired'
        where deposit_address like '%-copy-%'`
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql`select from bridge_swaps where deposit_address like '%-copy-1' for update`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(done)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(held)
      assert.deepStrictEqual([yield* sweep, yield* sweep, yield* sweep], [200, 99, 0])
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      assert.strictEqual(yield* sweep, 1)
    }),
  )
})

layer(TestBridge.layer())("A swap", (it) => {
  it.effect("stores its signed quote once", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const sql = yield* SqlClient
      const { id } = yield* swap()
      assert.lengthOf(
        yield* sql`select from bridge_swaps where id = ${id}::uuid and events @> '[{"type":"quoted","raw":null}]'`,
        1,
      )
      assert.lengthOf(yield* sql`select from bridge_swaps where id = ${id}::uuid and signed_quote <> ''`, 1)
    }),
  )
})
