import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type IntentsQuoteRequest, IntentsQuoteResponse } from "../../src/intents/IntentsSchemas.ts"
import { quoteFaults, SERVICE_FEE_ACCOUNT } from "../../src/intents/QuoteCheck.ts"
import { PRODUCTION_QUOTE, STAGING_DRY_QUOTE, STAGING_QUOTE } from "./SignedQuotes.ts"

const decodeResponse = Schema.decodeUnknownSync(IntentsQuoteResponse)

interface Change {
  readonly asked?: object
  readonly echo?: object
  readonly quote?: object
  readonly nowMillis?: number
}

/** The faults of a changed production quote. */
const found = ({ asked, echo, nowMillis, quote }: Change, of: typeof PRODUCTION_QUOTE = PRODUCTION_QUOTE) =>
  quoteFaults(
    { ...of.quoteRequest, ...asked } as IntentsQuoteRequest,
    decodeResponse({
      ...of,
      quoteRequest: { ...of.quoteRequest, ...asked, ...echo },
      quote: { ...of.quote, ...quote },
    }),
    nowMillis ?? Date.parse(of.timestamp),
  )

const OTHER = "0x00000000000000000000000000000000000000ad"
const OURS = [{ recipient: "registry.near", fee: 50 }]

describe("A quote as the service returns it", () => {
  it("has no differences", () => {
    assert.deepStrictEqual(found({}), [])
    const service = { appFees: [{ recipient: SERVICE_FEE_ACCOUNT, fee: 20 }], depositMode: "SIMPLE", insured: false }
    assert.deepStrictEqual(found({ echo: { ...service, confidentiality: "public", referral: "partner" } }), [])
    assert.deepStrictEqual(found({ echo: { virtualChainRecipient: null, customRecipientMsg: null, appFees: [] } }), [])
  })

  it("of staging is taken with the service's own fee, which was not requested", () => {
    for (const real of [STAGING_QUOTE, STAGING_DRY_QUOTE]) {
      const { appFees: _fees, confidentiality: _public, ...asked } = real.quoteRequest
      const faults = quoteFaults(asked as IntentsQuoteRequest, decodeResponse(real), Date.parse(real.timestamp))
      assert.deepStrictEqual(faults, [])
    }
  })

  it("may name BTC by its newer asset id, and no other asset by another id", () => {
    const btc = { originAsset: "nep141:btc.omft.near" }
    assert.deepStrictEqual(found({ asked: btc, echo: { originAsset: "1cs_v1:btc:native:coin" } }), [])
    assert.deepStrictEqual(found({ asked: btc, echo: { originAsset: "nep141:eth.omft.near" } }), [
      "quoteRequest.originAsset is different",
    ])
    assert.deepStrictEqual(found({ echo: { destinationAsset: "1cs_v1:btc:native:coin" } }), [
      "quoteRequest.destinationAsset is different",
    ])
  })

  it("may write EVM addresses in another case, but no other addresses", () => {
    assert.deepStrictEqual(found({ echo: { recipient: PRODUCTION_QUOTE.quoteRequest.recipient.toLowerCase() } }), [])
    const asked = { recipient: "So11111111111111111111111111111111111111112" }
    assert.deepStrictEqual(found({ asked, echo: { recipient: asked.recipient.toLowerCase() } }), [
      "quoteRequest.recipient is different",
    ])
  })

  it("may deduct its fee from ours", () => {
    const split = [
      { recipient: "registry.near", fee: 25, limitOrderId: null },
      { recipient: SERVICE_FEE_ACCOUNT, fee: 25, limitOrderId: null },
    ]
    assert.deepStrictEqual(found({ asked: { appFees: OURS }, echo: { appFees: split } }), [])
  })
})

describe("A quote that differs from its request is refused", () => {
  const CHANGED = {
    dry: true,
    swapType: "EXACT_OUTPUT",
    slippageTolerance: 101,
    depositType: "INTENTS",
    amount: "10000001",
    refundTo: OTHER,
    refundType: "INTENTS",
    recipient: OTHER,
    recipientType: "INTENTS",
    originAsset: "nep141:wrap.near",
    destinationAsset: "nep141:wrap.near",
    deadline: "2026-08-27T07:21:45.997Z",
  }
  for (const [field, value] of Object.entries(CHANGED)) {
    it(`by its ${field}`, () => {
      assert.deepStrictEqual(found({ echo: { [field]: value } }), [`quoteRequest.${field} is different`])
      assert.deepStrictEqual(found({ echo: { [field]: undefined } }), [`quoteRequest.${field} is missing`])
    })
  }

  it("by a field that was not requested", () => {
    const ADDED = {
      virtualChainRecipient: OTHER,
      virtualChainRefundRecipient: OTHER,
      customRecipientMsg: "{}",
      confidentiality: "basic",
    }
    for (const [field, value] of Object.entries(ADDED))
      assert.deepStrictEqual(found({ echo: { [field]: value } }), [`quoteRequest.${field} is added`])
    for (const field of ["virtualChainRecipient", "virtualChainRefundRecipient", "customRecipientMsg"])
      assert.deepStrictEqual(found({ quote: { [field]: OTHER } }), [`quote.${field} is added`])
    const asked = { virtualChainRecipient: OTHER, virtualChainRefundRecipient: OTHER, customRecipientMsg: "{}" }
    assert.deepStrictEqual(found({ asked }), [])
    assert.deepStrictEqual(found({ asked, quote: { ...asked, customRecipientMsg: "" } }), [])
    assert.deepStrictEqual(found({ asked, quote: { customRecipientMsg: "[]" } }), [
      "quote.customRecipientMsg is different",
    ])
    assert.deepStrictEqual(found({ asked, echo: { virtualChainRecipient: "", customRecipientMsg: "{ }" } }), [
      "quoteRequest.virtualChainRecipient is missing",
      "quoteRequest.customRecipientMsg is different",
    ])
  })

  it("by its fees: a stranger's fee, a higher fee for us or in total, or no list", () => {
    const fees = (appFees: unknown) => found({ asked: { appFees: OURS }, echo: { appFees } })
    assert.deepStrictEqual(fees(OURS), [])
    assert.deepStrictEqual(fees([...OURS, { recipient: "thief.near", fee: 1 }]), ["quoteRequest.appFees is added"])
    assert.deepStrictEqual(fees([{ recipient: "registry.near", fee: 51 }]), ["quoteRequest.appFees is different"])
    assert.deepStrictEqual(fees([...OURS, { recipient: SERVICE_FEE_ACCOUNT, fee: 26 }]), [
      "quoteRequest.appFees is different",
    ])
    assert.deepStrictEqual(fees([...OURS, { recipient: SERVICE_FEE_ACCOUNT, fee: 25 }]), [])
    for (const wrong of ["50", { recipient: "registry.near", fee: 50 }, [{ recipient: "registry.near", fee: "50" }]])
      assert.deepStrictEqual(fees(wrong), ["quoteRequest.appFees is different"])
    assert.deepStrictEqual(fees(undefined), [])
  })

  it("by its mode, and by a missing memo", () => {
    const memo = { depositMode: "MEMO" }
    assert.deepStrictEqual(found({ asked: memo, quote: { depositMemo: "7" } }), [])
    assert.deepStrictEqual(found({ asked: memo }), ["quote.depositMemo is missing"])
    assert.deepStrictEqual(found({ echo: memo }), ["quote.depositMemo is missing"])
    assert.deepStrictEqual(found({ asked: memo, echo: { depositMode: null }, quote: { depositMemo: "7" } }), [
      "quoteRequest.depositMode is different",
    ])
    assert.deepStrictEqual(found({ asked: memo, echo: { depositMode: "SIMPLE" } }), [
      "quoteRequest.depositMode is different",
      "quote.depositMemo is missing",
    ])
    assert.deepStrictEqual(found({ asked: { depositMode: "SIMPLE" }, echo: { depositMode: undefined } }), [])
  })
})

describe("A contradictory quote is refused", () => {
  it("by an amount that differs from the requested one, or none", () => {
    assert.deepStrictEqual(found({ quote: { amountIn: "10000001" } }), ["quote.amountIn is different"])
    assert.deepStrictEqual(found({ quote: { amountOut: "0", minAmountOut: "0" } }), ["quote.amountOut is inconsistent"])
    const exactOutput = { swapType: "EXACT_OUTPUT", amount: "9986764" }
    assert.deepStrictEqual(found({ asked: exactOutput, quote: { minAmountIn: "9900000" } }), [])
    assert.deepStrictEqual(found({ asked: { ...exactOutput, amount: "9986765" }, quote: { minAmountIn: "9900000" } }), [
      "quote.amountOut is different",
    ])
  })

  it("by a minimum that exceeds the amount, or is below what its slippage allows", () => {
    assert.deepStrictEqual(found({ quote: { minAmountOut: "9886895" } }), [])
    for (const minAmountOut of ["9886894", "0", "9986765"])
      assert.deepStrictEqual(found({ quote: { minAmountOut } }), ["quote.minAmountOut is inconsistent"])
    assert.deepStrictEqual(found({ quote: { minAmountIn: "10000001" } }), ["quote.minAmountIn is inconsistent"])
  })

  it("exactly, however large the amounts are", () => {
    const amount = (2n ** 256n - 1n).toString()
    const large = { asked: { amount, slippageTolerance: 0 }, quote: { amountIn: amount, minAmountIn: amount } }
    assert.deepStrictEqual(found({ ...large, quote: { ...large.quote, amountOut: amount, minAmountOut: amount } }), [])
    const less = (2n ** 256n - 3n).toString()
    assert.deepStrictEqual(found({ ...large, quote: { ...large.quote, amountOut: amount, minAmountOut: less } }), [
      "quote.minAmountOut is inconsistent",
    ])
  })

  it("without an address or a deadline, and when its deadline is past", () => {
    assert.deepStrictEqual(found({ quote: { depositAddress: null } }), ["quote.depositAddress is missing"])
    assert.deepStrictEqual(found({ quote: { deadline: null } }), ["quote.deadline is missing"])
    assert.deepStrictEqual(found({ quote: { deadline: "2026-08-27T07:11:44.188Z" } }), ["quote.deadline is past"])
    assert.deepStrictEqual(found({ quote: { deadline: "2026-08-27T07:20:00.000Z" } }), [
      "quote.deadline is inconsistent",
    ])
    assert.deepStrictEqual(found({ quote: { depositAddress: null, deadline: null }, asked: { dry: true } }), [])
  })

  it("when it was signed long ago, because a signature has no expiry", () => {
    const later = Date.parse(PRODUCTION_QUOTE.timestamp) + 300_001
    assert.deepStrictEqual(found({ nowMillis: later }), ["timestamp is stale"])
    assert.deepStrictEqual(found({ nowMillis: later + 300_000 }), [
      "timestamp is stale",
      "quoteRequest.deadline is past",
    ])
  })
})

describe("A difference that moves no money", () => {
  it("does not refuse the quote", () => {
    const asked = { referral: "registry", quoteWaitingTimeMs: 3_000 }
    assert.deepStrictEqual(found({ asked }), [])
    assert.deepStrictEqual(found({ asked, echo: { referral: "other", quoteWaitingTimeMs: 0 } }), [])
  })
})
