import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Decimal, plainDecimal } from "../src/amounts/Decimal.ts"

const digits = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 40n - 1n }))
const shift = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const decode = Schema.decodeUnknownSync(Decimal)

/** The value of a plain decimal, in units of 10^-40. */
const scaled = (plain: string): bigint => {
  const [whole = "", fraction = ""] = plain.split(".")
  return BigInt(whole + fraction.padEnd(40, "0"))
}

describe("Decimals", () => {
  it.prop("keep their exact value in any notation", [digits, shift], ([value, places]) => {
    const plain = plainDecimal(`${value}e-${places}`)!
    assert.match(plain, /^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    assert.strictEqual(scaled(plain), value * 10n ** BigInt(40 - places))
  })

  it.prop("can be read back to the same value", [digits, shift], ([value, places]) => {
    const plain = decode(`${value}e-${places}`)
    assert.strictEqual(decode(plain), plain)
    assert.strictEqual(Schema.encodeSync(Decimal)(plain), plain)
  })

  it.prop("from a double have the digits that the double prints", [Schema.Finite], ([value]) => {
    const plain = plainDecimal(String(value))
    if (plain !== undefined) assert.strictEqual(Number(plain), value === 0 ? 0 : value)
  })

  it("hold 2^64 - 1, 1e-18 and forty digits on either side", () => {
    const cases = {
      "18446744073709551615": "18446744073709551615",
      "1e-18": "0.000000000000000001",
      "1E+2": "100",
      "00.10": "0.1",
      "-0": "0",
    }
    for (const [text, plain] of Object.entries(cases)) assert.strictEqual(plainDecimal(text), plain)
    assert.strictEqual(plainDecimal("9".repeat(40)), "9".repeat(40))
    assert.isUndefined(plainDecimal("9".repeat(41)))
    assert.isUndefined(plainDecimal("1e-41"))
    assert.isUndefined(plainDecimal("1e400"))
    assert.strictEqual(plainDecimal("0e9999"), "0")
  })

  it("refuse anything that is not an amount", () => {
    for (const text of ["", " ", "1,5", "0x10", "NaN", "Infinity", "1e", ".5", "--1", "1_000", "-1", "1".repeat(300)]) {
      assert.throws(() => decode(text), undefined, undefined, text)
    }
  })
})
