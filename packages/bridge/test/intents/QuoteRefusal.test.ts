import { assert, describe, it } from "@effect/vitest"
import { quoteRefusal, refusalTexts } from "../../src/intents/QuoteRefusal.ts"

const USDC = { symbol: "USDC", decimals: 6 }

describe("The messages of a refusal", () => {
  it("are split where class-validator joins them, and nowhere else", () => {
    assert.deepStrictEqual(
      refusalTexts(
        "amount must be a number string,slippageTolerance must not be greater than 10000, each value in appFees must be an object,property x should not exist",
      ),
      [
        "amount must be a number string",
        "slippageTolerance must not be greater than 10000",
        "each value in appFees must be an object",
        "property x should not exist",
      ],
    )
    const whole = "Amount is too low for bridge, try at least 8,000 or $1,000, if you must"
    assert.deepStrictEqual(refusalTexts(whole), [whole])
  })

  it("are one line each, without control characters, and bounded in number and length", () => {
    assert.deepStrictEqual(refusalTexts(["  a\n\tb \u202e\u0000c ", "", " "]), ["a b c"])
    const many = refusalTexts(Array.from({ length: 1_000 }, () => "x".repeat(100_000)))
    assert.strictEqual(many.length, 10)
    assert.isTrue(many.every((text) => text.length === 300))
  })

  it("stand at the field that they begin with", () => {
    const paths = (messages: ReadonlyArray<string>) => quoteRefusal(messages, USDC).issues.map(({ path }) => path)
    const low = "Amount is too low for bridge, try at least 8516130"
    assert.deepStrictEqual(paths([low, "each value in appFees must be an object"]), ["body.amount", "body.appFees"])
    assert.deepStrictEqual(paths(["Temporary swap limits: minimum swap amount is $1,000", "constructor"]), [
      "body",
      "body",
    ])
    assert.deepStrictEqual(paths([]), ["body"])
  })

  it("say an amount in tokens, with the smallest units beside, and leave other numbers", () => {
    const said = (message: string) => quoteRefusal([message], USDC).issues[0]!.message
    assert.strictEqual(
      said("Amount is too low for bridge, try at least 8516130"),
      "Amount is too low for bridge, try at least 8.51613 USDC (8516130)",
    )
    assert.strictEqual(said("amount must be at most 1000000."), "amount must be at most 1 USDC (1000000).")
    for (const other of [
      "Amount is too low for bridge, try at least 8,000 or $1,000, if you must",
      "Temporary swap limits: at least 1000 must be free",
      "Amount must be at least 8.5 dollars",
      `Amount must be at least ${"9".repeat(39)}`,
    ])
      assert.strictEqual(said(other), other)
  })
})
