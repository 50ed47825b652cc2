import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseLossless } from "../../src/rpc/LosslessJson.ts"

/** As bigints serialise, with its place in the text of a value. */
const stringified = (value: unknown): string =>
  typeof value === "bigint"
    ? String(value)
    : Array.isArray(value)
      ? `[${value.map(stringified).join(", ")}]`
      : typeof value === "object" && value !== null
        ? `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)} : ${stringified(inner)}`)}}`
        : JSON.stringify(value)

describe("The parser of answers", () => {
  it.prop("reads what JSON.parse reads", [Schema.Json], ([json]) => {
    const text = JSON.stringify(json)
    assert.deepStrictEqual(parseLossless(text), JSON.parse(text))
  })

  it("reads whole numbers exactly, wherever they stand, and others as the nearest double", () => {
    const [left, right] = [9007199254740993n, -18446744073709551615n]
    for (const value of [left, right, { log: `: ${left}`, "[1e400]": [right, left, { "": left }], n: "\\" }])
      assert.deepStrictEqual(parseLossless(stringified(value)), value)
    for (const text of ["9007199254740991", "-12", "0.1234567890123456789", "1e3", "1e300", "1.8446744073709551615e19"])
      assert.strictEqual(parseLossless(text), Number(text))
    assert.deepStrictEqual(parseLossless(`[9007199254740993.5,${left}]`), [Number("9007199254740993.5"), left])
  })

  it("keeps a member named __proto__ as a member, and the last of those with one name", () => {
    for (const other of ["", ',"b":9007199254740992']) {
      const read = parseLossless(`{"__proto__":{"x":9007199254740993},"a":1,"a":9007199254740993${other}}`) as {
        readonly a: unknown
        readonly x?: unknown
      }
      assert.isTrue(Object.hasOwn(read, "__proto__"))
      assert.strictEqual(Object.getPrototypeOf(read), Object.prototype)
      assert.strictEqual(read.a, 9007199254740993n)
    }
  })

  it("refuses what is not JSON, and what is nested too deep, and takes no stack for it", () => {
    for (const text of [
      "",
      "[",
      "01",
      "9007199254740993n",
      '{"a":9007199254740993,}',
      '"\u0000"',
      "[9007199254740993]x",
    ])
      assert.throws(() => parseLossless(text), SyntaxError)
    const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth)
    for (const inner of ["1", "9007199254740993"]) {
      assert.isArray(parseLossless(nested(100, inner)))
      for (const depth of [101, 1_000_000]) assert.throws(() => parseLossless(nested(depth, inner)), /nested deeper/)
    }
  })

  it("makes no bigint of a number that would take long to read", () => {
    for (const number of ["9".repeat(100_000), `-${"9".repeat(100_000)}`, "1e1001"])
      assert.deepStrictEqual(parseLossless(`{"amount":${number}}`), { amount: Number(number) })
    for (const log of ["9".repeat(100_000), "1.".repeat(50_000), "1e".repeat(50_000)])
      assert.deepStrictEqual(parseLossless(JSON.stringify({ log })), { log })
  })
})
