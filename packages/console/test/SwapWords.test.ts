import { assert, describe, it } from "@effect/vitest"
import type { Refusal } from "@launch-registry/client"
import { Schema } from "effect"
import { wholeAmount } from "../src/browser/Format.ts"
import { impactText, refusalText, slippageOf, typedAmount } from "../src/browser/token/SwapWords.ts"

describe("A typed amount", () => {
  it.prop(
    "is read exactly, whatever its size",
    [
      Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 64n - 1n })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 })),
    ],
    ([amount, decimals]) => {
      assert.deepStrictEqual(typedAmount(wholeAmount(String(amount), decimals), decimals), { amount: String(amount) })
    },
  )

  it("is a number of whole tokens, or said to be none", () => {
    assert.deepStrictEqual(typedAmount("  1.50 ", 6), { amount: "1500000" })
    assert.deepStrictEqual(typedAmount(".5", 2), { amount: "50" })
    assert.deepStrictEqual(typedAmount("2.", 2), { amount: "200" })
    assert.deepStrictEqual(typedAmount("1.500", 1), { amount: "15" })
    assert.deepStrictEqual(typedAmount("", 6), {})
    for (const [text, problem] of [
      ["1,5", /such as 1\.5/],
      ["1e3", /such as 1\.5/],
      ["-1", /such as 1\.5/],
      [".", /such as 1\.5/],
      ["0.00", /more than 0/],
      ["0.0000001", /6 decimal places/],
      ["18446744073709.551616", /more than the chain/],
    ] as const)
      assert.match(typedAmount(text, 6).problem ?? "", problem, text)
  })
})

describe("A slippage", () => {
  it("is read as basis points", () => {
    const read = ["0", "0.5", "1", "3.25", "100", "100.01", "1000", "1.234", "", "-1", "x"].map(slippageOf)
    const none = undefined
    assert.deepStrictEqual(read, [0, 50, 100, 325, 10_000, none, none, none, none, none, none])
  })
})

describe("Words of a swap", () => {
  it("say an impact in percent", () => {
    assert.deepStrictEqual([0, 0.0123, 0.5, 1].map(impactText), ["0%", "1.23%", "50%", "100%"])
  })

  it("say why it was refused", () => {
    const refusal = (code: string, more: object = {}) =>
      refusalText({ success: false, code, message: "As the service says", ...more } as Refusal)
    assert.match(refusal("curve_completed", { details: { isMigrated: false } }), /waits for its migration/)
    assert.match(refusal("curve_completed", { details: { isMigrated: true } }), /has migrated/)
    assert.match(refusal("pool_not_swappable", { details: { reason: "disabled" } }), /switched swaps off/)
    assert.match(refusal("pool_not_swappable", { details: { reason: "another" } }), /As the service says/)
    assert.match(refusal("trading_not_allowed"), /whitelist/)
    assert.strictEqual(refusal("invalid_request", { issues: [{ message: "one" }, { message: "two" }] }), "one; two")
    assert.strictEqual(refusal("invalid_request"), "As the service says")
    assert.strictEqual(refusal("a_new_code"), "As the service says")
  })
})
