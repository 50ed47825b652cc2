import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { quoteFaults } from "../../src/intents/QuoteCheck.ts"
import { isQuoteSigned } from "../../src/intents/QuoteSignature.ts"
import type { IntentsClient } from "../../src/intents/IntentsClient.ts"
import type { IntentsQuoteRequest } from "../../src/intents/IntentsSchemas.ts"
import { type Tampering } from "../IntentsFaults.ts"
import { deliveredDetails, refundedDetails } from "../IntentsTimeline.ts"
import { STAND_IN_TOKENS } from "../IntentsTokens.ts"
import { API_KEY, clientOf, memoRequest, requestOf } from "./IntentsClientOf.ts"

const refusal = (client: IntentsClient, request: IntentsQuoteRequest) =>
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
        requestOf({ appFees: [{ recipient: "registry.near", fee: 50 }], referral: "registry" }),
        requestOf({ originAsset: "nep141:btc.omft.near", amount: "100000", refundTo: `bc1q${"a".repeat(38)}` }),
        memoRequest(),
      ]
      for (const request of asked) {
        const { raw, response } = yield* client.quote(request)
        assert.isTrue(isQuoteSigned(raw, standIn.publicKey))
        assert.isFalse(isQuoteSigned(raw))
        assert.deepStrictEqual(quoteFaults(request, response, Date.now()), [])
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
        const found = quoteFaults(request, response, Date.now())
        if (BY_ECHO.includes(tamper)) assert.isNotEmpty(found, tamper)
      }
    }),
  )

  it.live("passes on why a quote is refused, as messages and as minimum amounts", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const low = yield* refusal(client, requestOf({ amount: "999999" }))
      assert.deepStrictEqual(low, ["Amount is too low for bridge, try at least 1000000"])
      standIn.usdMinimum.set("base", 1_000)
      assert.match((yield* refusal(client, requestOf()))[0]!, /minimum swap amount is \$1,000/)
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
      standIn.trouble({ status: 400, body: { message: joined } }, { times: 1 })
      const error = yield* Effect.flip(client.quote(requestOf()))
      assert.deepInclude(error, { _tag: "IntentsRefused", status: 400 })
      if (error._tag === "IntentsRefused") assert.strictEqual(error.messages.length, 2)
    }),
  )

  it.live("gets the status of a swap by its address, and by its memo where swaps share the address", () =>
    Effect.gen(function* () {
      const { client, standIn } = yield* clientOf()
      const { response } = yield* client.quote(requestOf())
      const address = response.quote.depositAddress!
      const before = yield* client.status(address)
      assert.strictEqual(before.report.status, "PENDING_DEPOSIT")
      assert.deepStrictEqual(before.report.details, {})

      const { quote } = standIn.swapAt(address).response
      standIn.tell(address, [
        { afterSubmit: true, status: "KNOWN_DEPOSIT_TX" },
        { afterSubmit: true, afterPolls: 1, status: "PROCESSING" },
        { afterSubmit: true, afterPolls: 2, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
      ])
      const submitted = yield* client.submitDeposit({ depositAddress: address, txHash: "a-transaction" })
      assert.strictEqual(submitted.report.status, "KNOWN_DEPOSIT_TX")
      assert.deepStrictEqual(submitted.report.details.originTxs, [
        { hash: "a-transaction", explorerUrl: "https://explorer.test/tx/a-transaction" },
      ])
      const statuses = yield* Effect.forEach([1, 2, 3], () => client.status(address))
      assert.deepStrictEqual(
        statuses.map(({ report }) => report.status),
        ["KNOWN_DEPOSIT_TX", "PROCESSING", "SUCCESS"],
      )
      const { raw, report } = statuses[2]!
      assert.strictEqual(report.details.amountOut, response.quote.amountOut)
      // The status repeats the quote: it is signed there too.
      assert.isTrue(isQuoteSigned(JSON.stringify(JSON.parse(raw).quoteResponse), standIn.publicKey))

      const [one, other] = yield* Effect.forEach([1, 2], () => client.quote(memoRequest()))
      const shared = one!.response.quote.depositAddress!
      assert.strictEqual(shared, other!.response.quote.depositAddress)
      const memo = one!.response.quote.depositMemo!
      const details = refundedDetails(standIn.swapAt(shared, memo).response.quote)
      standIn.tell(shared, [{ status: "REFUNDED", swapDetails: details }], memo)
      assert.strictEqual((yield* client.status(shared, memo)).report.status, "REFUNDED")
      assert.strictEqual(
        (yield* client.status(shared, other!.response.quote.depositMemo)).report.status,
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
      const { report } = yield* client.status(address)
      assert.strictEqual(report.status, "SETTLING_V2")
      assert.deepStrictEqual(
        report.details.destinationTxs,
        ["0xalone", "0xplain"].map((hash) => ({ hash, explorerUrl: null })),
      )
      standIn.trouble({ status: 200, body: { status: "KNOWN_DEPOSIT_TX", swapDetails: null } })
      const { raw: _raw, ...bare } = yield* client.submitDeposit({ depositAddress: address, txHash: "t" })
      assert.deepStrictEqual(bare, { report: { status: "KNOWN_DEPOSIT_TX", details: {}, unreadable: [] } })
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
