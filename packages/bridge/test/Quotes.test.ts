import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import {
  EVM_USER,
  SOL_USER,
  START_MILLIS,
  STELLAR_USER,
  TestBridge,
  USDC_ON_ARB,
  USDC_ON_SOL,
  XLM,
} from "./TestBridge.ts"

const HALF_AN_HOUR = new Date(START_MILLIS + 1_800_000).toISOString()

const rows = (table: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(sql<{ readonly count: bigint }>`select count(*) as count from ${sql(table)}`, ([row]) =>
      Number(row!.count),
    ),
  )

layer(TestBridge.layer())("A quote", (it) => {
  it.effect("is dry by default: it shows what a swap would give, and has no deposit address", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const { body, status } = yield* quote()
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body.data, {
        dry: true,
        id: null,
        depositAddress: null,
        depositMemo: null,
        amountIn: "10000000",
        slippageTolerance: 100,
        swapType: "EXACT_INPUT",
        depositBy: HALF_AN_HOUR,
        timeEstimateSeconds: 27,
      })
      assert.isAbove(Number(body.data.amountOut), Number(body.data.minAmountOut))
      assert.deepStrictEqual(body.data.fees, {
        ...{ hasApiKey: true, protocolFeePercent: "0.0001", appFees: [], appFeeBps: 0, serviceFeeBps: 1 },
        detail: "The swap service takes 0.0001 %, and its quote 0.01 % on top of it",
      })
      assert.deepInclude(standIn.calls("quote").at(-1)!.asked, { depositType: "ORIGIN_CHAIN", dry: true })
      assert.strictEqual(yield* rows("bridge_swaps"), 0)
    }),
  )

  it.effect("that is real creates a swap and a pending BRIDGE record, and shows both deadlines", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const { request } = yield* TestServer
      const { body, headers } = yield* quote({
        dry: false,
        userAddress: "somebody",
        appFees: [{ recipient: "app.near", fee: 50 }],
        virtualChainRecipient: EVM_USER,
        virtualChainRefundRecipient: EVM_USER,
      })
      const { data } = body
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(data.depositBy, HALF_AN_HOUR)
      assert.strictEqual(data.inactiveAt, new Date(START_MILLIS + 72 * 3_600_000).toISOString())
      assert.strictEqual(data.depositAddress, standIn.swaps.at(-1)!.depositAddress)
      assert.deepInclude(data.fees, { appFees: [{ recipient: "app.near", fee: 50 }], appFeeBps: 50 })
      assert.deepInclude(standIn.calls("quote").at(-1)!.asked, { virtualChainRecipient: EVM_USER, dry: false })
      const record = (yield* request(`/api/transactions/${data.id}`)).body.transaction
      assert.deepInclude(record, {
        action: "BRIDGE",
        status: "pending",
        userAddress: "somebody",
        baseToken: USDC_ON_ARB,
        quoteToken: USDC_ON_SOL,
        amountIn: data.amountIn,
        amountOut: data.amountOut,
        slippageBps: "100",
        fee: "50000",
        feeToken: USDC_ON_SOL,
        chain: "solana",
        poolAddress: data.depositAddress,
        txHash: "",
      })
      // Both have six decimals: the price is the amount sent per unit received.
      assert.approximately(Number(record.pricePerToken), Number(data.amountIn) / Number(data.amountOut), 1e-15)
      assert.isAbove(record.pricePerToken.length, 20)
      const swap = (yield* request(`/api/bridge/swaps/${data.id}`)).body.data
      assert.deepInclude(swap, {
        status: "pending",
        substatus: "awaiting_deposit",
        upstreamStatus: null,
        isPayable: true,
        stale: false,
      })
      assert.deepStrictEqual(
        swap.timeline.map(({ type }: { type: string }) => type),
        ["quoted"],
      )
      assert.strictEqual(swap.signedQuote.quote.depositAddress, data.depositAddress)
      assert.match(swap.signedQuote.signature, /^ed25519:/)
    }),
  )

  it.effect("names the amount out when EXACT_OUTPUT asks for it", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const { body } = yield* quote({ swapType: "EXACT_OUTPUT", amount: "5000000", slippageTolerance: 250 })
      assert.strictEqual(body.data.amountOut, "5000000")
      assert.isAbove(Number(body.data.amountIn), Number(body.data.minAmountIn))
      assert.strictEqual(body.data.slippageTolerance, 250)
    }),
  )

  it.effect("has a memo on a chain whose deposits share an address, and swaps are told apart by it", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const { request } = yield* TestServer
      const fields = { dry: false, originAsset: XLM, amount: "500000000", refundTo: STELLAR_USER }
      const [first, second] = [yield* quote(fields), yield* quote(fields)].map(({ body }) => body.data)
      assert.strictEqual(standIn.calls("quote").at(-1)!.asked.depositMode, "MEMO")
      assert.strictEqual(first.depositAddress, second.depositAddress)
      assert.notStrictEqual(first.depositMemo, second.depositMemo)
      const path = `/api/bridge/status/${first.depositAddress}`
      assert.strictEqual((yield* request(`${path}?memo=${second.depositMemo}`)).body.data.id, second.id)
      assert.strictEqual((yield* request(`${path}?memo=0`)).body.code, "not_found")
      const without = yield* request(path)
      assert.strictEqual(without.status, 400)
      assert.strictEqual(without.body.issues[0].path, "query.memo")
      const report = yield* request("/api/bridge/deposit", {
        json: { depositAddress: first.depositAddress, txHash: "a".repeat(64) },
      })
      assert.strictEqual(report.body.issues[0].path, "body.memo")
    }),
  )

  it.effect("has a message for the recipient only when the caller accepts the risk", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const before = standIn.calls("quote").length
      const refused = yield* quote({ customRecipientMsg: "hello" })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body.issues[0].path, "body.acceptCustomRecipientMsgRisk")
      assert.lengthOf(standIn.calls("quote"), before)
      const { body } = yield* quote({ customRecipientMsg: "hello", acceptCustomRecipientMsgRisk: true, dry: false })
      assert.strictEqual(standIn.calls("quote").at(-1)!.asked.customRecipientMsg, "hello")
      assert.isString(body.data?.depositAddress, JSON.stringify(body))
    }),
  )

  it.effect("is refused with what to change when it is impossible, before the swap service is called", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const before = standIn.calls("quote").length
      const cases: ReadonlyArray<readonly [fields: Readonly<Record<string, unknown>>, path: string, text: RegExp]> = [
        [{ amount: 10_000_000 }, "amount", /string of digits/],
        [{ amount: "1.5" }, "amount", /smallest units.*no fraction/],
        [{ amount: "-1" }, "amount", /whole number/],
        [{ amount: "0" }, "amount", /at least 1/],
        [{ amount: "1e6" }, "amount", /whole number/],
        [{ refundTo: undefined }, "refundTo", /is required/],
        [{ recipient: undefined }, "recipient", /is required/],
        [{ originAsset: "nep141:nothing.near" }, "originAsset", /GET \/api\/bridge\/tokens/],
        [{ destinationAsset: "nep141:nothing.near" }, "destinationAsset", /GET \/api\/bridge\/tokens/],
        [{ destinationAsset: USDC_ON_SOL }, "destinationAsset", /another asset/],
        [
          { deadline: "2026-11-21T11:59:59Z" },
          "deadline",
          /is over: expected a time at least 1 minute and at most 24 hours ahead/,
        ],
        [{ deadline: "tomorrow" }, "deadline", /ISO 8601/],
        [{ slippageTolerance: 10_001 }, "slippageTolerance", /0 to 10000/],
        [{ swapType: "ANY_INPUT" }, "swapType", /EXACT_INPUT/],
        [{ referral: "" }, "referral", /1 to 100 characters/],
        [{ quoteWaitingTimeMs: 8_001 }, "quoteWaitingTimeMs", /8000/],
        [{ appFees: [{ recipient: "a.near", fee: 10_000 }] }, "appFees", /something to swap/],
        [{ depositType: "CONFIDENTIAL_INTENTS" }, "depositType", /ORIGIN_CHAIN/],
        [{ refundType: "DESTINATION_CHAIN" }, "refundType", /ORIGIN_CHAIN/],
        [{ colour: "red" }, "colour", /is not a field here/],
        [{ slippage: 100 }, "slippage", /did you mean slippageTolerance/],
      ]
      for (const [fields, field, text] of cases) {
        const { body, status } = yield* quote(fields)
        const shown = JSON.stringify(body)
        assert.strictEqual(status, 400, shown)
        assert.isTrue(body.issues[0].path.startsWith(`body.${field}`), shown)
        assert.match(body.issues[0].message, text)
      }
      assert.lengthOf(standIn.calls("quote"), before)
    }),
  )

  it.effect("that the swap service refuses says why, and names the minimum", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const low = (yield* quote({ amount: "9999", dry: false })).body
      assert.deepInclude(low, { code: "invalid_request" })
      assert.match(low.message, /^body.amount: .*at least 0.01 \w+ \(10000\)/)
      standIn.usdMinimum.set("sol", 1_000)
      const poor = (yield* quote()).body
      standIn.usdMinimum.clear()
      assert.match(poor.message, /^body: .*minimum swap amount is \$1,000/)
      const foreign = yield* quote({ recipient: SOL_USER })
      assert.strictEqual(foreign.status, 400)
      assert.deepStrictEqual(foreign.body.issues, [{ path: "body.recipient", message: "recipient is not valid" }])
    }),
  )
})

layer(TestBridge.layer({ apiKey: Redacted.make("another-key") }))("With a key that the swap service refuses", (it) => {
  it.effect("nothing is quoted, and the answer says why without containing the key", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const sql = yield* SqlClient
      // The list of assets needs no key.
      const { body, status } = yield* quote({ dry: false })
      assert.strictEqual(status, 503)
      assert.match(body.message, /does not take the API key/)
      assert.notInclude(JSON.stringify(body), "another-key")
      assert.lengthOf(yield* sql`select from bridge_swaps`, 0)
    }),
  )
})

layer(TestBridge.layer({ apiKey: undefined as never }))("Without an API key", (it) => {
  it.effect("a quote says that it costs more, and why", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const { fees } = (yield* quote()).body.data
      // What the quote lists as the share of the swap service, twenty basis points, on top of its 0.0001 %.
      assert.deepInclude(fees, { hasApiKey: false, serviceFeeBps: 20, protocolFeePercent: "0.2001" })
      assert.match(fees.detail, /INTENTS_API_KEY.* takes 0\.2 %/)
      const real = (yield* quote({ dry: false })).body.data
      assert.deepStrictEqual(real.fees, fees)
    }),
  )
})
