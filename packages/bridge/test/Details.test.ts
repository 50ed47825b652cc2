import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import { deliveredDetails, depositedDetails, refundedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

type Quote = Readonly<Record<string, unknown>>

/** The details shown once the swap service reports these. */
const shown = Effect.fnUntraced(function* (
  status: string,
  details: (quote: Quote) => Quote,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const { pass, standIn, swap } = yield* TestBridge
  const { request } = yield* TestServer
  const { depositAddress } = yield* swap(fields)
  const { quote } = standIn.swapAt(depositAddress).response
  standIn.tell(depositAddress, [{ status, swapDetails: details(quote) }])
  yield* pass(21)
  return { quote, seen: (yield* request(`/api/bridge/status/${depositAddress}`)).body.data }
})

const SAID = {
  ...{ slippage: 12.5, withdrawFee: "2300", refundFee: "1800" },
  ...{ intentHashes: ["intentB", "intentA"], nearTxHashes: ["nearA"] },
}

layer(TestBridge.layer())("The details of a swap", (it) => {
  it.effect("are those of the quote at first, in whole tokens and USD, and null where they are unknown", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const { request } = yield* TestServer
      const { data } = (yield* quote({ dry: false })).body
      const { data: swap } = (yield* request(`/api/bridge/status/${data.depositAddress}`)).body
      assert.deepInclude(swap, {
        ...{ amountIn: "10000000", amountInFormatted: "10", amountInUsd: "9.998", minAmountIn: "10000000" },
        ...{ amountOut: "9999000", amountOutFormatted: "9.999", amountOutUsd: "9.9970002" },
        ...{ depositedAmount: null, depositedAmountFormatted: null, depositedAmountUsd: null },
        ...{ refundedAmount: null, refundedAmountFormatted: null, refundedAmountUsd: null },
        ...{ slippage: null, slippageTolerance: 100, refundFee: "1900", withdrawFee: "2400" },
        ...{ intentHashes: [], nearTxHashes: [] },
        ...{ depositType: "ORIGIN_CHAIN", refundType: "ORIGIN_CHAIN", recipientType: "DESTINATION_CHAIN" },
      })
      const [listed] = (yield* request(`/api/bridge/swaps?depositAddress=${data.depositAddress}`)).body.data
      assert.deepStrictEqual(listed, swap)
    }),
  )

  it.effect("are the swapped and delivered amounts once the swap has succeeded", () =>
    Effect.gen(function* () {
      const { seen } = yield* shown("SUCCESS", (quote) => ({
        ...deliveredDetails(quote),
        ...{ ...SAID, amountOut: "9990000", amountInUsd: "9.99", amountOutUsd: "9.98", depositedAmountUsd: "9.97" },
      }))
      assert.deepInclude(seen, {
        ...{ substatus: "delivered", amountIn: "10000000", amountInFormatted: "10", amountInUsd: "9.99" },
        ...{ amountOut: "9990000", amountOutFormatted: "9.99", amountOutUsd: "9.98" },
        ...{ depositedAmount: "10000000", depositedAmountFormatted: "10", depositedAmountUsd: "9.97" },
        ...{ slippage: 12.5, withdrawFee: "2300", refundFee: "1800" },
        ...{ intentHashes: ["intentA", "intentB"], nearTxHashes: ["nearA"] },
      })
      // The USD value of the quoted amount is not that of another amount.
      const { seen: other } = yield* shown("SUCCESS", (quote) => ({ ...deliveredDetails(quote), amountOut: "9980000" }))
      assert.deepInclude(other, { amountOut: "9980000", amountOutUsd: null, amountInUsd: "9.998" })
    }),
  )

  it.effect("show what was refunded, and keep known values when a later answer lacks or garbles them", () =>
    Effect.gen(function* () {
      const { seen } = yield* shown("REFUNDED", (quote) => ({
        ...refundedDetails(quote),
        ...{ ...SAID, refundedAmount: "9998100", refundedAmountUsd: "9.9961", depositedAmountUsd: "9.998" },
      }))
      const sent = { refundedAmount: "9998100", refundedAmountFormatted: "9.9981", refundedAmountUsd: "9.9961" }
      assert.deepInclude(seen, { ...sent, substatus: "refunded", depositedAmountUsd: "9.998" })

      const { pass, read, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      const { quote } = standIn.swapAt(depositAddress).response
      const said = { ...depositedDetails(quote), ...SAID, depositedAmountUsd: "10.5" }
      standIn.tell(depositAddress, [
        { status: "PROCESSING", swapDetails: said },
        { afterPolls: 1, status: "PROCESSING" },
        {
          ...{ afterPolls: 2, status: "PROCESSING" },
          swapDetails: { slippage: "12", intentHashes: [7], nearTxHashes: "none", depositedAmountUsd: "<b>1</b>" },
        },
      ])
      yield* pass(40)
      const after = yield* read(id)
      assert.deepInclude(after, { slippage: 12.5, depositedAmountUsd: "10.5", nearTxHashes: ["nearA"] })
      assert.deepStrictEqual(after.intentHashes, ["intentA", "intentB"])
    }),
  )

  it.effect("in USD change without an event for each price", () =>
    Effect.gen(function* () {
      const { pass, read, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(
        depositAddress,
        Array.from({ length: 5 }, (_, at) => ({
          ...{ afterPolls: at, status: "PROCESSING" },
          swapDetails: { ...depositedDetails(quote), depositedAmountUsd: `9.${at}` },
        })),
      )
      yield* pass(60)
      const after = yield* read(id)
      assert.strictEqual(after.depositedAmountUsd, "9.4")
      assert.lengthOf(after.timeline, 2)
    }),
  )
})

layer(TestBridge.layer())("A swap of a flexible amount", (it) => {
  const FLEXIBLE = { swapType: "FLEX_INPUT", slippageTolerance: 200 }

  it.effect("is quoted with the least deposit, and misses only what is below that", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const { data } = (yield* quote(FLEXIBLE)).body
      assert.deepInclude(data, { swapType: "FLEX_INPUT", amountIn: "10000000", minAmountIn: "9800000" })
      const { seen: short } = yield* shown("INCOMPLETE_DEPOSIT", (made) => depositedDetails(made, "9799999"), FLEXIBLE)
      assert.deepInclude(short, { substatus: "incomplete", missingAmount: "1", minAmountIn: "9800000" })
      const { seen: enough } = yield* shown(
        "SUCCESS",
        (made) => ({ ...deliveredDetails(made), ...depositedDetails(made, "9800000"), amountOut: made.minAmountOut }),
        FLEXIBLE,
      )
      assert.deepInclude(enough, { status: "success", missingAmount: null, needsReview: false })
    }),
  )
})

layer(TestBridge.layer())("A request for a quote", (it) => {
  it.effect("may pay from, and refund to, an account within the swap service", () =>
    Effect.gen(function* () {
      const { standIn, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const inside = { depositType: "INTENTS", refundType: "INTENTS", refundTo: "somebody.near" }
      const { depositAddress, id } = yield* swap(inside)
      assert.match(depositAddress, /^[0-9a-f]{64}$/)
      assert.deepInclude(standIn.calls("quote").at(-1)!.asked, inside)
      const { data } = (yield* request(`/api/bridge/swaps/${id}`)).body
      assert.deepInclude(data, { ...inside, recipientType: "DESTINATION_CHAIN" })
      assert.lengthOf(yield* sql`select from bridge_swaps where refund_type = 'INTENTS'`, 1)
    }),
  )

  it.effect("passes on the referral and how long market makers may take", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const named = { referral: "registry", quoteWaitingTimeMs: 3_000 }
      const { body, status } = yield* quote({ dry: false, ...named })
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(standIn.calls("quote").at(-1)!.asked, named)
    }),
  )
})
