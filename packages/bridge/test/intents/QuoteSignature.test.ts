import { assert, describe, it } from "@effect/vitest"
import { type OneClickQuoteResponse, verifyQuoteSignature } from "@defuse-protocol/one-click-sdk-typescript"
import { Effect, Schema } from "effect"
import { examples } from "../../../../scripts/Laws.ts"
import { isQuoteSigned, MANAGER_KEY, quoteMessage } from "../../src/intents/QuoteSignature.ts"
import { quoteKey, signed } from "../IntentsQuoteMaker.ts"
import {
  PRODUCTION_QUOTE,
  STAGING_DRY_QUOTE,
  STAGING_KEY,
  STAGING_QUOTE,
  STAGING_STATUS_QUOTE,
} from "./SignedQuotes.ts"

const sdkTakes = (raw: string, key: string): boolean => {
  const response: OneClickQuoteResponse = JSON.parse(raw)
  return verifyQuoteSignature(response, key)
}

const REAL = [
  { name: "of production", response: PRODUCTION_QUOTE, key: MANAGER_KEY },
  { name: "of staging", response: STAGING_QUOTE, key: STAGING_KEY },
  { name: "of staging, dry", response: STAGING_DRY_QUOTE, key: STAGING_KEY },
  { name: "of staging, as the status repeats it", response: STAGING_STATUS_QUOTE, key: STAGING_KEY },
]

const key = quoteKey()
const MEMO_QUOTE = signed(key, {
  ...STAGING_QUOTE,
  quoteRequest: {
    ...STAGING_QUOTE.quoteRequest,
    referral: "registry",
    sessionId: "session-1",
    quoteWaitingTimeMs: 1_500,
    virtualChainRecipient: "0x00000000000000000000000000000000000000aa",
    customRecipientMsg: 'with "quotes", \\ and ü',
  },
  quote: { ...STAGING_QUOTE.quote, depositMemo: "4711", customRecipientMsg: "" },
})
const SIGNED = [...REAL, { name: "with everything optional", response: MEMO_QUOTE, key: key.publicKey }]

describe("A signed quote", () => {
  for (const { key, name, response } of SIGNED) {
    it(`${name} is valid with the key of its signer and with no other`, () => {
      const raw = JSON.stringify(response)
      assert.isTrue(isQuoteSigned(raw, key))
      assert.isTrue(sdkTakes(raw, key))
      assert.strictEqual(isQuoteSigned(raw), key === MANAGER_KEY)
      assert.isFalse(isQuoteSigned(raw, quoteKey().publicKey))
    })
  }

  it("of production has the hash that the service signed", () => {
    assert.strictEqual(quoteMessage(PRODUCTION_QUOTE), "6XFsdVBQKwZU8HresppceHwnRbi9rByi8h1XHtbB9stQ")
  })

  const Value = Schema.Union([
    Schema.String,
    Schema.Finite,
    Schema.Boolean,
    Schema.Null,
    Schema.Literals(["remove", "", "0", "10000", "nobody.near"]),
    Schema.Record(Schema.Literals(["b", "a"]), Schema.Finite),
  ])
  const Field = Schema.Union([
    Schema.Literals([
      "dry",
      "depositMode",
      "slippageTolerance",
      "amount",
      "refundTo",
      "recipient",
      "recipientType",
      "deadline",
      "quoteWaitingTimeMs",
      "referral",
      "sessionId",
      "appFees",
      "connectedWallets",
      "customRecipientMsg",
      "virtualChainRecipient",
    ]),
    Schema.Literals([
      "amountIn",
      "amountOut",
      "minAmountOut",
      "depositAddress",
      "depositMemo",
      "timeWhenInactive",
      "timeEstimate",
      "refundFee",
      "withdrawFee",
      "chainDepositAddresses",
      "unheardOf",
    ]),
  ])
  const Change = Schema.Struct({
    part: Schema.Literals(["quote", "quoteRequest", "response"]),
    field: Schema.Union([Field, Schema.Literals(["timestamp", "correlationId", "signature"])]),
    value: Value,
  })

  const changed = (response: object, changes: ReadonlyArray<typeof Change.Type>): Record<string, unknown> => {
    const copy: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(response))
    for (const { field, part, value } of changes) {
      const target: Record<string, unknown> = part === "response" ? copy : copy[part]!
      if (value === "remove") delete target[field]
      else target[field] = value
    }
    return copy
  }

  it.effect.prop(
    "is accepted and refused exactly as by the service's SDK, whatever is changed in it",
    { changes: Schema.Array(Change).check(Schema.isMaxLength(4)), of: Schema.Literals([0, 1, 2, 3, 4]) },
    ({ changes, of }) =>
      Effect.sync(() => {
        const { key, response } = SIGNED[of]!
        const raw = JSON.stringify(changed(response, changes))
        assert.strictEqual(isQuoteSigned(raw, key), sdkTakes(raw, key), raw)
      }),
    { arbitrary: { runs: examples(40, 1_000) } },
  )

  const UNSIGNED = ["appFees", "depositMode", "sessionId", "connectedWallets", "confidentiality"]
  it("does not cover fees, mode, session, nor the deadline of its request, which are compared elsewhere", () => {
    for (const field of [...UNSIGNED, "deadline"]) {
      const request = { ...PRODUCTION_QUOTE.quoteRequest, [field]: "changed" }
      assert.isTrue(isQuoteSigned(JSON.stringify({ ...PRODUCTION_QUOTE, quoteRequest: request })), field)
    }
    const dry = { ...STAGING_DRY_QUOTE, quoteRequest: { ...STAGING_DRY_QUOTE.quoteRequest, deadline: "changed" } }
    assert.isFalse(isQuoteSigned(JSON.stringify(dry), STAGING_KEY))
  })

  it("of any other type is refused without an exception", () => {
    const raw = JSON.stringify(PRODUCTION_QUOTE)
    for (const text of ["", "null", "7", "[]", "{}", '{"quote":1,"quoteRequest":{}}', raw.slice(1), `${raw}x`])
      assert.isFalse(isQuoteSigned(text), text)
    for (const signature of [
      "",
      "ed25519:",
      "ed25519:not-base58-0OIl",
      `ed25519:${"1".repeat(88)}`,
      "1".repeat(100_000),
      7,
    ])
      assert.isFalse(isQuoteSigned(JSON.stringify({ ...PRODUCTION_QUOTE, signature })))
    for (const key of ["", "ed25519:", "ed25519:1111", STAGING_KEY.slice(0, -1)])
      assert.isFalse(isQuoteSigned(raw, key))
  })
})
