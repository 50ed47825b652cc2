import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { quoteFaults } from "../../src/intents/QuoteCheck.ts"
import { isQuoteSigned } from "../../src/intents/QuoteSignature.ts"
import { deliveredDetails, refundedDetails } from "../IntentsTimeline.ts"
import { API_KEY, clientOf, memoRequest, requestOf } from "./IntentsClientOf.ts"

describe("The client", () => {
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
