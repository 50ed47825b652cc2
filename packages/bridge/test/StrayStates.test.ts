import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { deliveredDetails } from "./IntentsTimeline.ts"
import { EVM_USER, SOL_USER, STELLAR_USER, TestBridge, USDC_ON_ARB, USDC_ON_SOL, XLM } from "./TestBridge.ts"

const STELLAR = { originAsset: XLM, refundTo: STELLAR_USER, amount: "1000000000" }
const ARBITRUM = { originAsset: USDC_ON_ARB, destinationAsset: USDC_ON_SOL, recipient: SOL_USER, refundTo: EVM_USER }

/** The swap after so many answers that repeat `quote`. */
const answers = Effect.fnUntraced(function* (
  id: string,
  depositAddress: string,
  quote: Readonly<Record<string, unknown>>,
  times: number,
) {
  const { read, standIn, step } = yield* TestBridge
  const swap = standIn.swaps.find((one) => one.depositAddress === depositAddress)
  standIn.trouble(
    {
      status: 200,
      body: { status: "SUCCESS", swapDetails: deliveredDetails(swap!.response.quote), quoteResponse: { quote } },
    },
    { call: "status", address: depositAddress, times },
  )
  const asked = () => standIn.calls("status").filter((call) => call.asked.depositAddress === depositAddress).length
  const before = asked()
  while (asked() < before + times) yield* Effect.andThen(TestClock.adjust("10 seconds"), step)
  return yield* read(id)
})

layer(TestBridge.layer())("A status answer that belongs to another swap", (it) => {
  it.effect("by its address is ignored, and the third in a row needs review", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const sql = yield* SqlClient
      const [one, other] = [yield* swap(), yield* swap()]
      const seen = yield* answers(one.id, one.depositAddress, { depositAddress: other.depositAddress }, 2)
      assert.deepInclude(seen, { status: "pending", substatus: "awaiting_deposit", needsReview: false, stale: true })
      const third = yield* answers(one.id, one.depositAddress, { depositAddress: other.depositAddress }, 1)
      assert.deepInclude(third, { status: "pending", substatus: "awaiting_deposit", needsReview: true })
      assert.deepInclude(third.timeline.at(-1), {
        type: "answer_unreadable",
        detail: "malformed: quoteResponse.quote.depositAddress",
      })
      const [kept] = yield* sql<{ readonly raw: string }>`
        select e ->> 'raw' as raw from bridge_swaps, jsonb_array_elements(events) e
        where id = ${one.id}::uuid and e ->> 'type' = 'answer_unreadable'`
      assert.include(kept!.raw, other.depositAddress)
      const own = yield* answers(one.id, one.depositAddress, { depositAddress: one.depositAddress }, 1)
      assert.deepInclude(own, { status: "success", needsReview: false, stale: false })
    }),
  )

  it.effect("by its memo is ignored", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const [one, other] = [yield* swap(STELLAR), yield* swap(STELLAR)]
      assert.strictEqual(one.depositAddress, other.depositAddress)
      const sql = yield* SqlClient
      yield* sql`update bridge_swaps set next_poll_at = null where id = ${other.id}::uuid`
      const { depositAddress, depositMemo } = one
      const stray = yield* answers(one.id, depositAddress, { depositAddress, depositMemo: other.depositMemo }, 1)
      assert.deepInclude(stray, { status: "pending", stale: true })
      const own = yield* answers(one.id, depositAddress, { depositAddress, depositMemo }, 1)
      assert.deepInclude(own, { status: "success", stale: false })
    }),
  )

  it.effect("is not assumed because of the case of an EVM address, nor when the answer does not repeat the quote", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const shouting = yield* swap(ARBITRUM)
      const depositAddress = `0x${shouting.depositAddress.slice(2).toUpperCase()}`
      for (const quote of [{ depositAddress, depositMemo: "" }, { depositAddress: null, depositMemo: null }, {}]) {
        const { depositAddress: address, id } = quote.depositAddress === depositAddress ? shouting : yield* swap()
        assert.deepInclude(yield* answers(id, address, quote, 1), { status: "success", stale: false })
      }
      const cased = yield* swap()
      const swapped = cased.depositAddress.replace(/[a-z]/, (letter) => letter.toUpperCase())
      const stray = yield* answers(cased.id, cased.depositAddress, { depositAddress: swapped }, 1)
      assert.deepInclude(stray, { status: "pending", stale: true })
    }),
  )

  it.effect("does not count as acceptance of a report", () =>
    Effect.gen(function* () {
      const { pass, read, report, standIn, swap } = yield* TestBridge
      const [one, other] = [yield* swap(), yield* swap()]
      const quoteResponse = { quote: { depositAddress: other.depositAddress } }
      standIn.trouble({ status: 201, body: { status: "PROCESSING", quoteResponse } }, { call: "submit", times: 1 })
      yield* report(one.depositAddress, "a".repeat(64))
      yield* TestClock.adjust("1 second")
      yield* pass(1)
      const { deposits } = yield* read(one.id)
      assert.isNull(deposits[0].deliveredAt)
      assert.match(deposits[0].lastError, /quoteResponse.quote.depositAddress/)
      yield* pass(30)
      assert.isNotNull((yield* read(one.id)).deposits[0].deliveredAt)
    }),
  )
})
