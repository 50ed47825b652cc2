import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { discrepanciesOf } from "../../src/intents/QuoteEcho.ts"
import { isQuoteSigned } from "../../src/intents/QuoteSignature.ts"
import { minimumAmountOf } from "../../src/intents/MinimumAmount.ts"
import type { IntentsClient } from "../../src/intents/IntentsClient.ts"
import type { IntentsQuoteRequest } from "../../src/intents/IntentsSchemas.ts"
import { type Tampering } from "../IntentsFaults.ts"
import { deliveredDetails, refundedDetails } from "../IntentsTimeline.ts"
import { STAND_IN_TOKENS } from "../IntentsTokens.ts"
import { API_KEY, clientOf, memoRequest, requestOf } from "./IntentsClientOf.ts"

type Client = IntentsClient["Service"]

const refusal = (client: Client, request: IntentsQuoteRequest) =>
  Effect.flip(client.quote(request)).pipe(
    Effect.map((error) => (error._tag === "IntentsRefused" ? error.messages : [error.message])),
  )

describe("The client", () => {
  it.live("reads the tokens, natives without a contract", () =>
    Effect.gen(function* () {
      const { client } = yield* clientOf()
      const tokens = yield* client.tokens
      assert.strictEqual(tokens.length, STAND_IN_TOKENS.length)
      const sol = tokens.find(({ symbol }) => symbol === "SOL")!
      assert.deepInclude(sol, { assetId: "nep141:sol.omft.near", blockchain: "sol", decimals: 9, price: 140.25 })
      assert.notProperty(sol, "contractAddress")
      assert.strictEqual(
        tokens.find(({ symbol }) => symbol === "wSOL")!.contractAddress,
        "So11111111111111111111111111111111111111112",
      )
    }),
  )

  it.live("gets signed quotes for what was requested, with the exact text of the answer", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf({ apiKey: API_KEY })
      const asked = [
        requestOf(),
        requestOf({ dry: true }),
        requestOf({ swapType: "EXACT_OUTPUT", amount: "25000000" }),
        requestOf({ appFees: [{ recipient: "registry.near", fee: 50 }], sessionId: "s", referral: "registry" }),
        requestOf({ originAsset: "nep141:btc.omft.near", amount: "100000", refundTo: `bc1q${"a".repeat(38)}` }),
        memoRequest(),
      ]
      for (const request of asked) {
        const { raw, response } = yield* client.quote(request)
        assert.isTrue(isQuoteSigned(raw, standIn.publicKey))
        assert.isFalse(isQuoteSigned(raw))
        assert.deepStrictEqual(discrepanciesOf(request, response, { nowMillis: Date.now() }), [])
        assert.strictEqual(response.quote.depositAddress === undefined, request.dry)
        assert.strictEqual(response.quote.depositMemo !== undefined, request.depositMode === "MEMO")
        assert.strictEqual(JSON.parse(raw).correlationId, response.correlationId)
      }
    }),
  )

  it.live("finds any change made in transit to a quote, by its signature or its echo", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const BY_SIGNATURE: ReadonlyArray<Tampering> = [
        "depositAddress",
        "recipient",
        "refundTo",
        "amount",
        "stranger",
        "unsigned",
      ]
      const BY_ECHO: ReadonlyArray<Tampering> = [
        "appFees",
        "depositMode",
        "deadline",
        "resigned_recipient",
        "resigned_amount",
      ]
      for (const tamper of [...BY_SIGNATURE, ...BY_ECHO]) {
        standIn.recover()
        standIn.trouble({ tamper })
        const request = requestOf()
        const { raw, response } = yield* client.quote(request)
        assert.strictEqual(isQuoteSigned(raw, standIn.publicKey), BY_ECHO.includes(tamper), tamper)
        const found = discrepanciesOf(request, response, { nowMillis: Date.now() })
        if (BY_ECHO.includes(tamper))
          assert.isTrue(
            found.some(({ isFatal }) => isFatal),
            tamper,
          )
      }
    }),
  )

  it.live("passes on why a quote is refused, as messages and as minimum amounts", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const low = yield* refusal(client, requestOf({ amount: "999999" }))
      assert.deepStrictEqual(low, ["Amount is too low for bridge, try at least 1000000"])
      assert.deepStrictEqual(minimumAmountOf(low), { minimumAmount: "1000000" })
      standIn.usdMinimum.set("base", 1_000)
      assert.deepStrictEqual(minimumAmountOf(yield* refusal(client, requestOf())), { minimumAmountUsd: "1000" })
      standIn.usdMinimum.clear()
      assert.deepStrictEqual(yield* refusal(client, requestOf({ originAsset: "nep141:nothing.near" })), [
        "tokenIn is not valid",
      ])
      assert.deepStrictEqual(yield* refusal(client, requestOf({ deadline: "2020-01-01T00:00:00.000Z" })), [
        "deadline must be in the future",
      ])
      assert.deepStrictEqual(yield* refusal(client, requestOf({ amount: "0", slippageTolerance: 10_001 })), [
        "slippageTolerance must not be greater than 10000",
        "slippageTolerance must be an integer number",
        "amount must be a positive integer string",
      ])
      const joined = "amount must be a number string,recipient should not be empty"
      standIn.trouble({ status: 400, body: { message: joined, correlationId: "c-1" } }, { times: 1 })
      const error = yield* Effect.flip(client.quote(requestOf()))
      assert.deepInclude(error, { _tag: "IntentsRefused", status: 400, correlationId: "c-1" })
      if (error._tag === "IntentsRefused") assert.strictEqual(error.messages.length, 2)
    }),
  )

  it.live("gets the status of a swap by its address, and by its memo where swaps share the address", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const { response } = yield* client.quote(requestOf())
      const address = response.quote.depositAddress!
      const before = yield* client.status(address)
      assert.strictEqual(before.state.status, "PENDING_DEPOSIT")
      assert.deepInclude(before.state.swapDetails!, { originChainTxHashes: [], destinationChainTxHashes: [] })
      assert.notProperty(before.state.swapDetails!, "amountOut")

      const { quote } = standIn.swapAt(address).response
      standIn.tell(address, [
        { afterSubmit: true, status: "KNOWN_DEPOSIT_TX" },
        { afterSubmit: true, afterPolls: 1, status: "PROCESSING" },
        { afterSubmit: true, afterPolls: 2, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
      ])
      const submitted = yield* client.submitDeposit({ depositAddress: address, txHash: "a-transaction" })
      assert.strictEqual(submitted.state.status, "KNOWN_DEPOSIT_TX")
      assert.deepStrictEqual(submitted.state.swapDetails!.originChainTxHashes, [
        { hash: "a-transaction", explorerUrl: "https://explorer.test/tx/a-transaction" },
      ])
      const statuses = yield* Effect.forEach([1, 2, 3], () => client.status(address))
      assert.deepStrictEqual(
        statuses.map(({ state }) => state.status),
        ["KNOWN_DEPOSIT_TX", "PROCESSING", "SUCCESS"],
      )
      const { raw, state } = statuses[2]!
      assert.strictEqual(state.swapDetails!.amountOut, response.quote.amountOut)
      assert.strictEqual(state.correlationId, response.correlationId)
      // The status repeats the quote: it is signed there too.
      assert.isTrue(isQuoteSigned(JSON.stringify(JSON.parse(raw).quoteResponse), standIn.publicKey))

      const [one, other] = yield* Effect.forEach([1, 2], () => client.quote(memoRequest()))
      const shared = one!.response.quote.depositAddress!
      assert.strictEqual(shared, other!.response.quote.depositAddress)
      const memo = one!.response.quote.depositMemo!
      const details = refundedDetails(standIn.swapAt(shared, memo).response.quote)
      standIn.tell(shared, [{ status: "REFUNDED", swapDetails: details }], memo)
      assert.strictEqual((yield* client.status(shared, memo)).state.status, "REFUNDED")
      assert.strictEqual(
        (yield* client.status(shared, other!.response.quote.depositMemo)).state.status,
        "PENDING_DEPOSIT",
      )
      assert.strictEqual((yield* Effect.flip(client.status(shared)))._tag, "DepositAddressUnknown")
      const moneyless = yield* Effect.flip(client.submitDeposit({ depositAddress: shared, txHash: "t" }))
      assert.strictEqual(moneyless._tag, "DepositAddressUnknown")
    }),
  )

  it.live("accepts unknown statuses, hashes without a link, and answers without details", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const { response } = yield* client.quote(requestOf())
      const address = response.quote.depositAddress!
      standIn.tell(address, [
        { status: "SETTLING_V2", swapDetails: { destinationChainTxHashes: ["0xplain", { hash: "0xalone" }], more: 1 } },
      ])
      const { state } = yield* client.status(address)
      assert.strictEqual(state.status, "SETTLING_V2")
      assert.deepStrictEqual(state.swapDetails!.destinationChainTxHashes, [{ hash: "0xplain" }, { hash: "0xalone" }])
      standIn.trouble({ status: 200, body: { status: "KNOWN_DEPOSIT_TX", swapDetails: null } })
      const { raw: _raw, ...bare } = yield* client.submitDeposit({ depositAddress: address, txHash: "t" })
      assert.deepStrictEqual(bare, { state: { status: "KNOWN_DEPOSIT_TX" } })
    }),
  )

  it.live("sends its key as a bearer token and no other identifying header", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf({ apiKey: API_KEY, isKeyRequired: true })
      yield* client.quote(requestOf()).pipe(Effect.withSpan("a request of a user"))
      const [seen] = standIn.calls("quote")
      assert.strictEqual(seen!.headers.authorization, `Bearer ${API_KEY}`)
      for (const header of ["traceparent", "tracestate", "b3", "cookie", "x-api-key"])
        assert.notProperty(seen!.headers, header)
      const without = yield* clientOf()
      yield* without.client.quote(requestOf())
      assert.notProperty(without.standIn.calls("quote")[0]!.headers, "authorization")
    }),
  )
})
