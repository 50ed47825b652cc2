import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import { deliveredDetails, depositedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

const hash = (digit: string) => digit.repeat(64)

const types = (swap: { readonly timeline: ReadonlyArray<{ readonly type: string }> }) =>
  swap.timeline.map(({ type }) => type)

layer(TestBridge.layer())("A deposit report", (it) => {
  it.effect("is stored before it is submitted, submitted once, and followed by a poll of the swap", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const { depositAddress, id } = yield* swap()
      standIn.tell(depositAddress, [
        { status: "PENDING_DEPOSIT" },
        {
          afterSubmit: true,
          status: "SUCCESS",
          swapDetails: deliveredDetails(standIn.swapAt(depositAddress).response.quote),
        },
      ])
      const { body, status } = yield* report(depositAddress, hash("a"))
      assert.strictEqual(status, 200)
      assert.deepInclude(body.data, { accepted: true, id, depositAddress, txHash: hash("a") })
      assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [])
      const kept = yield* read(id)
      assert.deepInclude(kept, { status: "pending", substatus: "awaiting_deposit", isPayable: true, reported: true })
      assert.deepInclude(kept.deposits[0], { txHash: hash("a"), deliveredAt: null })
      assert.strictEqual((yield* request(`/api/transactions/${id}`)).body.transaction.txHash, "")
      yield* pass(5)
      assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [hash("a")])
      const seen = yield* read(id)
      assert.isNotNull(seen.deposits[0].deliveredAt)
      assert.strictEqual(seen.substatus, "delivered")
      assert.deepStrictEqual(types(seen), ["quoted", "deposit_reported", "deposit_delivered", "changed"])
    }),
  )

  it.effect("is submitted once when it is repeated; several are all submitted, and none after the swap has ended", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      const first = yield* report(depositAddress, hash("b"))
      yield* report(depositAddress, hash("c"))
      yield* TestClock.adjust("1 second")
      const again = yield* report(depositAddress, hash("b"))
      assert.deepStrictEqual(again.body, first.body)
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(depositAddress, [{ afterSubmit: 2, status: "SUCCESS", swapDetails: deliveredDetails(quote) }])
      yield* pass(20)
      assert.strictEqual((yield* read(id)).status, "success")
      yield* report(depositAddress, hash("b"))
      yield* report(depositAddress, hash("d"))
      yield* pass(6)
      const told = standIn
        .calls("submit")
        .filter(({ asked }) => asked.depositAddress === depositAddress)
        .map(({ asked }) => String(asked.txHash))
      assert.deepStrictEqual(told.toSorted(), [hash("b"), hash("c")])
      const end = yield* read(id)
      assert.deepInclude(end, { status: "success", substatus: "delivered" })
      assert.lengthOf(end.deposits, 2)
    }),
  )

  it.effect("sent by many callers at the same time is stored once", () =>
    Effect.gen(function* () {
      const { read, report, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => report(depositAddress, hash("e"))),
        { concurrency: 8 },
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.lengthOf([...new Set(answers.map(({ body }) => JSON.stringify(body)))], 1)
      assert.deepStrictEqual(types(yield* read(id)), ["quoted", "deposit_reported"])
    }),
  )

  it.effect("is submitted later when the swap service is down or does not know the address yet", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      standIn.isAway = true
      assert.strictEqual((yield* report(depositAddress, hash("f"))).status, 200)
      yield* pass(30)
      assert.match((yield* read(id)).deposits[0].lastError, /no usable answer/)
      standIn.recover()
      standIn.trouble("unknown_address", { call: "submit", times: 2 })
      yield* pass(400)
      assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [hash("f")])
      assert.deepInclude((yield* read(id)).deposits[0], { lastError: null })
    }),
  )

  it.effect("keeps a swap from expiring, and reopens an expired one once the swap service accepts it", () =>
    Effect.gen(function* () {
      const { read, report, step, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const [early, late] = [yield* swap(), yield* swap()]
      yield* report(early.depositAddress, hash("1"))
      yield* TestClock.adjust("31 minutes")
      yield* step
      assert.deepInclude(yield* read(early.id), { status: "pending", substatus: "deposit_seen" })
      assert.deepInclude(yield* read(late.id), { status: "failed", substatus: "expired" })
      yield* report(late.depositAddress, hash("2"))
      assert.deepInclude(yield* read(late.id), { status: "failed", substatus: "expired" })
      assert.strictEqual((yield* request(`/api/transactions/${late.id}`)).body.transaction.txHash, "")
      yield* step
      assert.deepInclude(yield* read(late.id), { status: "pending", substatus: "deposit_seen" })
      assert.strictEqual((yield* request(`/api/transactions/${late.id}`)).body.transaction.txHash, hash("2"))
      assert.strictEqual((yield* request(`/api/transactions/${late.id}`)).body.transaction.status, "pending")
    }),
  )

  it.effect("is not lost when a poll that started earlier finishes after it", () =>
    Effect.gen(function* () {
      const { read, report, standIn, step, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* TestClock.adjust("31 minutes")
      standIn.trouble({ slowMillis: 300 }, { call: "status", address: depositAddress, times: 1 })
      const looking = yield* Effect.forkChild(step)
      yield* Effect.promise(() =>
        standIn.until(() => standIn.calls("status").at(-1)?.asked.depositAddress === depositAddress),
      )
      yield* report(depositAddress, hash("3"))
      yield* Fiber.join(looking)
      assert.deepInclude(yield* read(id), { status: "pending", substatus: "awaiting_deposit" })
    }),
  )

  it.effect("is given up after the swap service has refused it for a day, and the swap is still polled", () =>
    Effect.gen(function* () {
      const { read, report, standIn, step, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      standIn.trouble({ status: 400, body: { message: "txHash is not valid" } }, { call: "submit" })
      yield* report(depositAddress, hash("4"))
      for (const _ of Array.from({ length: 30 })) {
        yield* TestClock.adjust("1 hour")
        while ((yield* step) > 0) continue
      }
      const attempts = standIn.calls("submit").length
      standIn.recover()
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(depositAddress, [{ status: "PROCESSING", swapDetails: depositedDetails(quote) }])
      assert.deepInclude(yield* read(id), { status: "failed", substatus: "expired", reported: false })
      yield* TestClock.adjust("31 minutes")
      yield* step
      const seen = yield* read(id)
      assert.include(types(seen), "deposit_refused")
      assert.match(seen.deposits[0].lastError, /txHash is not valid/)
      assert.strictEqual(seen.substatus, "processing")
      assert.lengthOf(standIn.calls("submit"), attempts)
    }),
  )

  it.effect("is refused for an unknown address, with a malformed hash, and beyond a hundred an hour", () =>
    Effect.gen(function* () {
      const { report, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const unknown = yield* report("nobody-was-given-this", hash("5"))
      assert.deepInclude([unknown.status, unknown.body.code], "not_found")
      const { depositAddress } = yield* swap()
      assert.strictEqual((yield* report(depositAddress, "short")).status, 400)
      const wrong = yield* request("/api/bridge/deposit", { json: { depositAddress, txHash: hash("5"), chain: "sol" } })
      assert.strictEqual(wrong.body.issues[0].path, "body.chain")
      for (let at = 0; at < 20; at++) yield* report(depositAddress, hash("5") + at)
      assert.strictEqual((yield* report(depositAddress, `${hash("5")}0`)).status, 200)
      for (let at = 20; at < 100; at++) assert.strictEqual((yield* report(depositAddress, hash("5") + at)).status, 200)
      const over = yield* report(depositAddress, hash("6"))
      assert.deepInclude([over.status, over.body.code], "limit_reached")
      yield* TestClock.adjust("61 minutes")
      assert.strictEqual((yield* report(depositAddress, hash("6"))).status, 200)
      const sql = yield* SqlClient
      yield* sql`delete from bridge_deposits where delivered_at is null`
    }),
  )
})
