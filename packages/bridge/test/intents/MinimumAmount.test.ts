import { assert, describe, it } from "@effect/vitest"
import { leastAmount, refusalTexts } from "../../src/intents/QuoteRefusal.ts"

const of = (message: string | ReadonlyArray<string>) => leastAmount(refusalTexts(message))

describe("The minimum amount", () => {
  it("is parsed from the messages with which the service refuses", () => {
    assert.deepStrictEqual(
      of("Amount is too low for bridge, try at least 8516130"),
      "8516130 in the smallest units of the asset",
    )
    assert.deepStrictEqual(
      of(["Amount is too low for bridge, try at least 16878800283555566203"]),
      "16878800283555566203 in the smallest units of the asset",
    )
    assert.deepStrictEqual(of("Temporary swap limits: minimum swap amount is $1,000"), "worth 1000 USD")
    assert.deepStrictEqual(of("Temporary swap limits: minimum swap amount is $1,234,567.50."), "worth 1234567.50 USD")
    assert.deepStrictEqual(of("minimum amount is $25"), "worth 25 USD")
    assert.deepStrictEqual(
      of("amount must be a positive integer string,Amount is too low for bridge, try at least 6400"),
      "6400 in the smallest units of the asset",
    )
  })

  it("is not guessed from other messages or other numbers", () => {
    for (const text of [
      "",
      "Route fee is $1,000 for this size",
      "amount 132000 address xyz",
      "Amount is too low for bridge, try at least -1",
      "Amount is too low for bridge, try at least 1.5",
      "Amount is too low for bridge, try at least 1,000",
      `Amount is too low for bridge, try at least ${"9".repeat(79)}`,
      "minimum swap amount is 1000 USDC",
      "minimum swap amount is $1,00",
      "Failed to get quote",
      "No liquidity available",
    ])
      assert.isUndefined(of(text), text)
  })
})

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
})
