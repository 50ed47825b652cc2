import { assert, describe, it } from "@effect/vitest"
import type { Refusal } from "@launch-registry/client"
import { Schema } from "effect"
import { wholeAmount } from "../src/figures/Format.ts"
import {
  impactText,
  mostOf,
  problemText,
  refusalText,
  slippageOf,
  typedAmount,
  withoutUnits,
} from "../src/token/SwapWords.ts"

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

describe("Words of a swap", () => {
  it("read a slippage as basis points", () => {
    const read = ["0", "0.5", "1", "3.25", "100", "100.01", "1000", "1.234", "", "-1", "x"].map(slippageOf)
    const none = undefined
    assert.deepStrictEqual(read, [0, 50, 100, 325, 10_000, none, none, none, none, none, none])
  })

  it("say an impact in percent", () => {
    assert.deepStrictEqual([0, 0.0123, 0.5, 1].map(impactText), ["0%", "1.23%", "50%", "100%"])
  })

  it("leave a wallet what a swap costs besides", () => {
    assert.deepStrictEqual(["0", "9999999", "10000000", "2000000000"].map(mostOf), [0n, 0n, 0n, 1_990_000_000n])
  })

  it("say why it was refused, in whole tokens", () => {
    const refusal = (code: string, more: object = {}) =>
      refusalText({ success: false, code, message: "As the registry says", ...more } as Refusal)
    assert.match(refusal("curve_completed", { details: { isMigrated: false } }), /waits for its migration/)
    assert.match(refusal("curve_completed", { details: { isMigrated: true } }), /has migrated/)
    const issues = [{ message: "expected at most 0.85 SOL (850000000): the curve has no more" }, { message: "two" }]
    assert.strictEqual(refusal("invalid_request", { issues }), "expected at most 0.85 SOL: the curve has no more; two")
    assert.strictEqual(refusal("invalid_request"), "As the registry says")
    assert.strictEqual(refusal("a_new_code"), "As the registry says")
    assert.strictEqual(withoutUnits("has 1 (1000), needs 2 (at once) (2000)"), "has 1, needs 2 (at once)")
  })

  it("say what a wallet lacks by the symbol of the token, whatever is in it", () => {
    for (const symbol of ["CAT", "$$$", "$&", "$'", "A (1)"])
      assert.strictEqual(
        problemText("It has 1 (1000) of mint, not 2 (2000)", "mint", symbol),
        `It has 1 ${symbol}, not 2`,
      )
  })
})
