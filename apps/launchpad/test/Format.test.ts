import { assert, describe, it } from "@effect/vitest"
import {
  formatChange,
  formatCompact,
  formatCount,
  formatDecimal,
  formatDuration,
  formatRelative,
  formatShare,
  formatWhole,
  shortAddress,
  tokenUnit,
  wholeAmount,
} from "../src/figures/Format.ts"
import { Schema } from "effect"

const cases = (format: (text: string) => string, expected: Readonly<Record<string, string>>) => {
  for (const [text, shown] of Object.entries(expected)) assert.strictEqual(format(text), shown, text)
}

describe("Figures", () => {
  it("of prices count the zeros that nobody counts", () => {
    cases(formatDecimal, {
      "0.000000028": "0.0₇28",
      "0.000000028433053513": "0.0₇2843",
      "0.0000000000000000001": "0.0₁₈1",
      "0.00012345": "0.0001235",
      "0.000012345": "0.0₄1235",
      "0.5": "0.5",
      "0.99996": "1",
      "1.50": "1.5",
      "1234.5678": "1,234.57",
      "1234567.8": "1,234,568",
      "00.5": "0.5",
      "-0.00002": "-0.0₄2",
      "0": "0",
      "0.000": "0",
      "123456789012345678901234567890": "123,456,789,012,345,678,901,234,567,890",
      "not known": "not known",
      "1e9": "1e9",
    })
  })

  it("of amounts are exact however large they are", () => {
    assert.strictEqual(wholeAmount("2493484003", 9), "2.493484003")
    assert.strictEqual(wholeAmount("1", 18), "0.000000000000000001")
    assert.strictEqual(wholeAmount("18446744073709551615", 6), "18446744073709.551615")
    assert.strictEqual(wholeAmount("1000000", 6), "1")
    assert.strictEqual(wholeAmount("0", 9), "0")
    assert.strictEqual(wholeAmount("42", 0), "42")
    assert.strictEqual(wholeAmount("many", 9), "many")
  })

  it.prop(
    "of any amount are the same amount",
    [Schema.BigInt, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))],
    ([number, decimals]) => {
      const amount = number < 0n ? -number : number
      const [whole = "", fraction = ""] = wholeAmount(String(amount), decimals).split(".")
      assert.strictEqual(BigInt(whole + fraction.padEnd(decimals, "0")), amount)
    },
  )

  it("of large amounts have a suffix", () => {
    cases(formatCompact, {
      "28.433053513444970742": "28.4331",
      "999": "999",
      "1000": "1K",
      "28432.97": "28.4K",
      "999999": "1M",
      "999499": "999K",
      "1234567": "1.23M",
      "7000000000": "7B",
      "5000000000000000": "5,000,000,000,000,000",
    })
  })

  it("of changes have a sign, and none for nothing", () => {
    assert.deepStrictEqual([12.345, -50, 0, 0.001, 123.4, 54321].map(formatChange), [
      "+12.3%",
      "−50.0%",
      "0%",
      "0%",
      "+123%",
      "+54,321%",
    ])
  })

  it("of shares are whole only when all is there", () => {
    assert.deepStrictEqual([0, 0.031674, 0.99999, 1, 0.5].map(formatShare), ["0%", "3.1%", "99.9%", "100%", "50%"])
  })

  it("of times are relative to now", () => {
    const now = Date.parse("2026-11-23T12:00:00Z")
    const ago = (seconds: number) => formatRelative(now - seconds * 1_000, now)
    assert.deepStrictEqual([0, 5, 59, 60, 7_199, 86_400, 40 * 86_400, 400 * 86_400, -90].map(ago), [
      "now",
      "5s ago",
      "59s ago",
      "1m ago",
      "1h ago",
      "1d ago",
      "1mo ago",
      "1y ago",
      "in 1m",
    ])
    assert.deepStrictEqual([0, 61, 90_061].map(formatDuration), ["0s", "1m 1s", "1d 1h"])
  })

  it("of counts have what is counted, one or many", () => {
    assert.deepStrictEqual(
      [0, 1, 1_234].map((count) => formatCount(count, "trade")),
      ["0 trades", "1 trade", "1,234 trades"],
    )
  })

  it("of slots and addresses are short", () => {
    assert.strictEqual(formatWhole("300000048"), "300,000,048")
    assert.strictEqual(formatWhole(-1), "-1")
    assert.strictEqual(shortAddress("So11111111111111111111111111111111111111112"), "So11…1112")
    assert.strictEqual(shortAddress("short"), "short")
  })
  it("of a token are called neither SOL nor dollars by its symbol", () => {
    const mint = "So11111111111111111111111111111111111111112"
    for (const symbol of ["$", "SOL", " sol\u200b", "\uff04", "\uff33OL", "S.O.L"])
      assert.strictEqual(tokenUnit(symbol, mint), `${symbol} (So11…1112)`)
    for (const symbol of ["$SOL", "SOLO", "$$", "CAT", "."]) assert.strictEqual(tokenUnit(symbol, mint), symbol)
    assert.strictEqual(tokenUnit("", mint), "tokens")
  })
})
