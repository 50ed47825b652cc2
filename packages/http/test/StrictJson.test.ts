import { assert, describe, it } from "@effect/vitest"
import { Api } from "@launch-registry/domain/Api"
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { losslessKeys } from "../src/answers/LosslessKeys.ts"
import { parseStrictJson } from "../src/requests/StrictJson.ts"

const json = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Null,
  Schema.Array(Schema.String),
  Schema.Record(Schema.String, Schema.Finite),
])

describe("Strict JSON", () => {
  it.prop("accepts what JSON.parse accepts, or says why not", [json], ([value]) => {
    const text = JSON.stringify(value)
    const { faults, value: parsed } = parseStrictJson(text, new Set())
    if (faults === undefined) assert.deepStrictEqual(parsed, JSON.parse(text))
    else assert.match(text, /\\u0000|\\ud[89a-f]|__proto__/i)
  })

  it("refuses a key twice in an object, however it is written and wherever that is", () => {
    const refused = { faults: [{ path: "body", message: "expected every key of an object once" }] }
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"a":{"b":[{"c":":","c":[]}]}}',
      '[{"a":1},{"a":1,"b":2,"a":3}]',
      '{"":1,"":2}',
      '{"1":0,"b":0,"1":0}',
    ])
      assert.deepStrictEqual(parseStrictJson(text, new Set()), refused, text)
    for (const text of [
      '{"a":{"a":{"a":":"}},"A":"\\"a\\":1"}',
      '[{"a":1},{"a":1}]',
      '{"constructor":1,"":[":"]}',
      '"a:b"',
    ])
      assert.deepStrictEqual(parseStrictJson(text, new Set()), { value: JSON.parse(text) }, text)
  })

  it("keeps all digits of lossless fields, and only of those", () => {
    const { value } = parseStrictJson('{"a":1.10,"b":1.10,"c":{"a":[9007199254740993]}}', new Set(["a"]))
    assert.deepStrictEqual(value, { a: "1.1", b: 1.1, c: { a: [9007199254740992] } })
    const whole = ["1e9", "1000000000.0", "1E+9"].map((number) => parseStrictJson(`{"a":${number}}`, new Set(["a"])))
    for (const parsed of whole) assert.deepStrictEqual(parsed, { value: { a: "1000000000" } })
  })

  it("finds the lossless fields of a body in its schema", () => {
    const { launch, transactions } = Api.groups
    const keysOf = (endpoint: { readonly payload: HttpApiEndpoint.PayloadMap }) => [
      ...losslessKeys(Schema.Union(endpoint.payload.get("application/json")!.schemas)),
    ]
    const amounts = ["amountIn", "amountOut", "pricePerToken", "fee", "lastValidBlockHeight"]
    assert.sameMembers(keysOf(transactions.endpoints.create), amounts)
    const ofSwap = ["amount", "computeUnitPriceMicroLamports", "priorityFee"]
    assert.sameMembers(keysOf(launch.endpoints.swap), ofSwap)
    const ofConfig = keysOf(launch.endpoints.dbcConfig)
    assert.includeMembers(ofConfig, ["totalTokenSupply", "migrationQuoteThreshold", "cliffUnlockAmount"])
  })
})
