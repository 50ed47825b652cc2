import { assert, describe, it } from "@effect/vitest"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { parseLossless } from "../../src/rpc/LosslessJson.ts"
import { seeded } from "../launch/GeneratedConfigs.ts"
import { anyJson, readByGrammar, spoilt } from "./GrammarJson.ts"

const TEXTS = examples(1_000, 40_000)

const isRead = (read: (text: string) => unknown, text: string): boolean => {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

describe("The parser of answers", () => {
  it("reads every text as its grammar says, with whole numbers exact", () => {
    const random = seeded(SEED)
    for (let text = 0; text < TEXTS; text++) {
      const json = anyJson(random)
      assert.deepStrictEqual(parseLossless(json), readByGrammar(json), json)
    }
  })

  it("reads what JSON.parse reads, and nothing else", () => {
    const random = seeded(SEED + 1)
    for (let text = 0; text < TEXTS; text++) {
      const json = spoilt(random, anyJson(random))
      // One with too many digits may be of a member that counts for nothing.
      if (isRead(JSON.parse, json) && !isRead(readByGrammar, json)) continue
      assert.strictEqual(isRead(parseLossless, json), isRead(JSON.parse, json), json)
    }
  })

  it("tells numbers apart that a double holds as one, wherever they stand", () => {
    const [left, right] = ["9007199254740993", "9007199254740992"]
    assert.deepStrictEqual(parseLossless(`[${left},{"a":${right},"b":[${left}]},"${right}"]`), [
      9007199254740993n,
      { a: 9007199254740992n, b: [9007199254740993n] },
      right,
    ])
    assert.deepStrictEqual(parseLossless(`{"log":": ${left}","amount":${right}}`), {
      log: `: ${left}`,
      amount: 9007199254740992n,
    })
  })

  it("keeps a member named __proto__ as a member, and the last of those with one name", () => {
    for (const other of ["", ',"b":9007199254740992']) {
      const read = parseLossless(`{"__proto__":{"x":9007199254740993},"a":1,"a":9007199254740993${other}}`) as {
        readonly a: unknown
        readonly x?: unknown
      }
      assert.isTrue(Object.hasOwn(read, "__proto__"))
      assert.strictEqual(Object.getPrototypeOf(read), Object.prototype)
      assert.isUndefined(read.x)
      assert.strictEqual(read.a, 9007199254740993n)
    }
    assert.isUndefined(({} as { readonly x?: unknown }).x)
  })

  it("refuses what is nested too deep, whatever is within, and takes no stack for it", () => {
    const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth)
    for (const inner of ["1", "9007199254740993", "9007199254740993,9007199254740992"]) {
      assert.isArray(parseLossless(nested(100, inner)))
      for (const depth of [101, 10_000, 1_000_000])
        assert.throws(() => parseLossless(nested(depth, inner)), /nested deeper/)
    }
    assert.throws(() => parseLossless(`${'{"a":'.repeat(101)}1${"}".repeat(101)}`), /nested deeper/)
  })

  it("refuses a number that would take long to read, but not text that looks like one", () => {
    const long = "9".repeat(100_000)
    for (const number of [long, `-${long}`, "1e1001", "1E+9999999", `1${"0".repeat(1_000)}.5`])
      assert.throws(() => parseLossless(`{"amount":${number}}`), /more than 1000 digits/, number.slice(0, 20))
    for (const text of [long, "1e9999", `${long}.`, "1.".repeat(50_000), "1e".repeat(50_000)])
      assert.deepStrictEqual(parseLossless(JSON.stringify({ log: `: ${text}` })), { log: `: ${text}` })
  })
})
