import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { TestServer } from "../../service/test/TestServer.ts"
import { deliveredDetails, refundedDetails } from "./IntentsTimeline.ts"
import { AMPLE, TestBridge } from "./TestBridge.ts"

const forged = (at: number) => `forged${String(at).padStart(58, "0")}`
const REAL = "a".repeat(64)

const recordOf = (id: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction),
  )

/** Lets hours pass, and does everything that becomes due. */
const hours = Effect.fnUntraced(function* (count: number) {
  const { step } = yield* TestBridge
  for (let hour = 0; hour < count; hour++) {
    yield* TestClock.adjust("1 hour")
    while ((yield* step) > 0) continue
  }
})

const refuseForged = Effect.gen(function* () {
  const { standIn } = yield* TestBridge
  standIn.trouble({ status: 400, body: { message: "txHash is not valid" } }, { call: "submit" })
})

layer(TestBridge.layer())("A forged deposit report", (it) => {
  it.effect("does not reopen an expired swap, neither before nor after the swap service refuses it", () =>
    Effect.gen(function* () {
      const { read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* refuseForged
      yield* hours(1)
      assert.strictEqual((yield* read(id)).substatus, "expired")
      yield* report(depositAddress, forged(0))
      const expired = { status: "failed", substatus: "expired", needsReview: false, stalled: false }
      assert.deepInclude(yield* read(id), { ...expired, reported: true })
      yield* hours(30)
      assert.deepInclude(yield* read(id), { ...expired, reported: false })
      assert.deepInclude(yield* recordOf(id), { status: "failed", txHash: "" })
      // A late payment is still found.
      standIn.recover()
      yield* report(depositAddress, REAL)
      yield* hours(1)
      assert.deepInclude(yield* read(id), { status: "pending", substatus: "deposit_seen" })
      assert.deepInclude(yield* recordOf(id), { status: "pending", txHash: REAL })
    }),
  )

  it.effect(
    "leaves an open swap payable, puts no hash into its record, and a refused hash is not kept as evidence",
    () =>
      Effect.gen(function* () {
        const { pass, read, report, standIn, swap } = yield* TestBridge
        const { depositAddress, id } = yield* swap()
        yield* refuseForged
        yield* pass(21)
        const before = yield* read(id)
        yield* report(depositAddress, forged(1))
        yield* pass(30)
        const open = yield* read(id)
        assert.deepInclude(open, { status: "pending", substatus: "awaiting_deposit", isPayable: true, reported: true })
        assert.strictEqual(open.updatedAt, before.updatedAt)
        assert.strictEqual((yield* recordOf(id)).txHash, "")
        yield* hours(30)
        assert.deepInclude(yield* read(id), { status: "failed", substatus: "expired", reported: false })
        standIn.recover()
      }),
  )

  it.effect("gives way to the report of the payer, which is submitted", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* refuseForged
      for (let at = 0; at < 20; at++) yield* report(depositAddress, forged(at))
      yield* pass(2)
      standIn.recover()
      assert.strictEqual((yield* report(depositAddress, REAL)).status, 200)
      const { deposits } = yield* read(id)
      assert.lengthOf(deposits, 20)
      // Which of the refused ones was evicted depends on their order.
      const hashes = deposits.map(({ txHash }: { readonly txHash: string }) => txHash)
      assert.include(hashes, REAL)
      assert.lengthOf(new Set(hashes), 20)
      yield* pass(40)
      assert.include(standIn.swapAt(depositAddress).submitted, REAL)
    }),
  )

  it.effect("does not evict the report of the payer before that is submitted", () =>
    Effect.gen(function* () {
      const { pass, report, standIn, swap } = yield* TestBridge
      const { depositAddress } = yield* swap()
      yield* report(depositAddress, REAL)
      for (let at = 0; at < 40; at++) assert.strictEqual((yield* report(depositAddress, forged(at))).status, 200)
      yield* pass(3)
      assert.include(standIn.swapAt(depositAddress).submitted, REAL)
    }),
  )

  it.effect("does not keep its swap from being polled, whatever the swap service answers to it", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      standIn.trouble({ status: 500 }, { call: "submit", address: depositAddress })
      yield* report(depositAddress, forged(0))
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(depositAddress, [{ status: "SUCCESS", swapDetails: deliveredDetails(quote) }])
      yield* pass(400)
      assert.deepInclude(yield* read(id), { status: "success", substatus: "delivered" })
      standIn.recover()
    }),
  )

  it.effect("does not evict a report that the swap service accepted", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* report(depositAddress, REAL)
      yield* pass(3)
      standIn.trouble({ status: 503 }, { call: "submit" })
      for (let at = 0; at < 30; at++) yield* report(depositAddress, forged(at))
      const taken = (yield* read(id)).deposits.filter(
        ({ deliveredAt }: { deliveredAt: unknown }) => deliveredAt !== null,
      )
      assert.deepStrictEqual(
        taken.map(({ txHash }: { txHash: string }) => txHash),
        [REAL],
      )
      standIn.recover()
    }),
  )

  it.effect("for a swap that has ended is refused with the end of the swap, and neither stored nor submitted", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      for (const [status, details, end] of [
        ["SUCCESS", deliveredDetails, { status: "success", substatus: "delivered" }],
        ["REFUNDED", refundedDetails, { status: "failed", substatus: "refunded" }],
      ] as const) {
        const { depositAddress, id } = yield* swap()
        const { quote } = standIn.swapAt(depositAddress).response
        standIn.tell(depositAddress, [{ status, swapDetails: details(quote) }])
        yield* pass(21)
        const before = yield* read(id)
        const answer = yield* report(depositAddress, forged(7))
        assert.deepStrictEqual([answer.status, answer.body.code], [409, "swap_ended"])
        assert.deepStrictEqual(answer.body.details, { id, ...end })
        assert.include(answer.body.message, `${end.status} (${end.substatus})`)
        yield* pass(5)
        assert.deepStrictEqual(yield* read(id), before)
        assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [])
      }
    }),
  )
})

layer(TestBridge.layer())("A report for a failed swap", (it) => {
  it.effect("is stored and submitted for as long as the swap is followed, and refused afterwards", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, step, swap } = yield* TestBridge
      const [failed, expired] = [yield* swap(), yield* swap()]
      standIn.tell(failed.depositAddress, [{ status: "FAILED" }])
      yield* hours(1)
      assert.strictEqual((yield* read(failed.id)).substatus, "failed")
      assert.strictEqual((yield* read(expired.id)).substatus, "expired")
      assert.strictEqual((yield* report(failed.depositAddress, REAL)).status, 200)
      yield* pass(3)
      assert.deepStrictEqual(standIn.swapAt(failed.depositAddress).submitted, [REAL])
      for (let day = 0; day < 11; day++) {
        yield* TestClock.adjust("1 day")
        while ((yield* step) > 0) continue
      }
      for (const { depositAddress, id } of [failed, expired]) {
        const late = yield* report(depositAddress, forged(3))
        assert.deepStrictEqual([late.status, late.body.code], [409, "swap_ended"])
        assert.strictEqual(late.body.details.substatus, (yield* read(id)).substatus)
      }
      // A report that was accepted before gets the same answer.
      assert.strictEqual((yield* report(failed.depositAddress, REAL)).status, 200)
    }),
  )
})

layer(TestBridge.layer({ rates: { quote: AMPLE } }))("At two requests a second", (it) => {
  it.effect("hundreds of forged reports delay real reports, of the same swap or another, by seconds at most", () =>
    Effect.gen(function* () {
      const { pass, report, standIn, swap } = yield* TestBridge
      standIn.chance = (call, asked) =>
        call === "submit" && JSON.stringify(asked).includes("forged")
          ? { status: 400, body: { message: "txHash is not valid" } }
          : undefined
      const forge = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>, from: number) {
        for (const address of addresses) for (let at = from; at < from + 15; at++) yield* report(address, forged(at))
      })
      const others = yield* Effect.forEach(Array.from({ length: 14 }), () => swap())
      const [same, apart] = [yield* swap(), yield* swap()]
      yield* forge(
        [...others, same].map(({ depositAddress }) => depositAddress),
        0,
      )
      yield* pass(90)
      for (const { depositAddress } of [same, apart]) {
        yield* forge(
          [same.depositAddress, ...others.slice(0, 2).map((other) => other.depositAddress)],
          depositAddress.length,
        )
        yield* report(depositAddress, REAL)
        yield* pass(10)
        assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [REAL])
      }
    }),
  )
})

layer(TestBridge.layer())("A deposit that the swap service reported once", (it) => {
  it.effect("is remembered: the swap is not payable again and does not expire", () =>
    Effect.gen(function* () {
      const { pass, read, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      standIn.tell(depositAddress, [
        { status: "KNOWN_DEPOSIT_TX" },
        { afterMillis: 30_000, status: "SETTLING_V2" },
        { afterMillis: 90_000, status: "PENDING_DEPOSIT" },
      ])
      yield* pass(150)
      const after = yield* read(id)
      assert.deepInclude(after, { upstreamStatus: "PENDING_DEPOSIT", substatus: "deposit_seen", isPayable: false })
      yield* hours(2)
      assert.deepInclude(yield* read(id), { status: "pending", substatus: "deposit_seen", isPayable: false })
    }),
  )
})
