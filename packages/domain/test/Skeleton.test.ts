import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import confusables from "../src/text/confusables.json" with { type: "json" }
import { confusableKeys } from "../src/text/ConfusableKeys.ts"
import { CONFUSABLES_VERSION, skeleton } from "../src/text/Skeleton.ts"
import { unsafeKinds } from "../src/text/UnsafeText.ts"

const decode = (codePoints: string) =>
  codePoints.split(" ").map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)))

const isConfusable = (left: string, right: string): boolean =>
  confusableKeys(left).some((key) => confusableKeys(right).includes(key))

/** Texts of letters and marks of many scripts, with characters that are replaced among them. */
const SOURCES = Object.values(confusables.prototypes).flatMap(decode)
const Text = Schema.Array(Schema.Union([Schema.Literals(SOURCES), Schema.String.check(Schema.isMaxLength(3))])).check(
  Schema.isMaxLength(12),
)

describe("The skeleton of a text", () => {
  it("is what UTS #39 gives", () => {
    assert.strictEqual(CONFUSABLES_VERSION, "17.0.0")
    for (const [text, expected] of [
      // Cyrillic, with Latin p, y and l.
      ["р\u0430ypal", "paypal"],
      // The examples of UTS #39: Latin, Cyrillic and Greek in one word; the number 1 for an l.
      ["scope", "scope"],
      ["\u0455\u0441\u043e\u0440\u0435", "scope"],
      ["paypa1", "paypal"],
      ["l1ving", "llving"],
      // Fullwidth, mathematical bold, script and double-struck letters.
      ["\uff50\uff41\uff59\uff50\uff41\uff4c", "paypal"],
      ["\u{1d429}\u{1d41a}\u{1d432}\u{1d429}\u{1d41a}\u{1d425}", "paypal"],
      ["\u{1d4f9}\u{1d4ea}\u{1d502}\u{1d4f9}\u{1d4ea}\u{1d4f5}", "paypal"],
      // One character for two, and the reverse.
      ["corn", "corn"],
      ["com", "corn"],
      // What is not shown is left out.
      ["pa\u200byp\u00adal\u3164", "paypal"],
    ] as const)
      assert.strictEqual(skeleton(text), expected, text)
  })

  it("is the same for every character as for its prototype, unless it is taken apart before", () => {
    for (const [target, sources] of Object.entries(confusables.prototypes))
      for (const source of decode(sources).filter((source) => source.normalize("NFD") === source))
        assert.strictEqual(skeleton(source), skeleton(decode(target).join("")), `${source} ${target}`)
  })

  it.prop("is its own skeleton, whatever the text", { parts: Text }, ({ parts }) => {
    const once = skeleton(parts.join(""))
    assert.strictEqual(skeleton(once), once)
  })

  it.prop(
    "does not change when characters are replaced by their prototypes",
    { parts: Text, at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: SOURCES.length - 1 })) },
    ({ at, parts }) => {
      const character = SOURCES[at]!
      const text = (one: string) => [...parts, "a", one, "b", ...parts].join("")
      assert.strictEqual(skeleton(text(skeleton(character))), skeleton(text(character)))
    },
  )
})

describe("The keys that labels are compared by", () => {
  it("are shared by what looks alike, in any case and with any punctuation", () => {
    for (const [left, right] of [
      ["р\u0430ypal", "PayPal"],
      ["PayPaI", "PayPal"],
      ["PEPI", "pepi"],
      ["$PAYPAI-COIN", "Paypal Coin"],
      ["\u041f\u0420\u0418\u0412\u0415\u0422", "\u043f\u0440\u0438\u0432\u0435\u0442"],
      ["MOON", "rnoon"],
      ["\u{1d40f}\u{1d404}\u{1d40f}\u{1d404}", "pepe"],
      ["\u0420\u0415\u0420\u0415", "PEPE"],
      ["$PE PE.", "pepe"],
      ["P\u00c9P\u00c9", "PEPE"],
      ["M00N", "Moon"],
      ["\u202ePEPE\u202c", "PEPE"],
      ["PEPE\ufe0f\u{e0041}", "PEPE"],
      // Shown as nothing, though they are symbols.
      ["PEPE\u2800", "PEPE"],
      ["\u2800PE\ufffcPE\u{1d159}", "PEPE"],
      // Accents on what is left out, and what encloses a letter.
      ["$\u0301PEPE", "PEPE"],
      ["PEPE \u0300", "PEPE"],
      ["\u0301PEPE", "PEPE"],
      ["P\u20ddEPE", "PEPE"],
      ["PEPE\u2122", "PEPE"],
      ["PEPE\u00ae", "PEPE"],
      // Small capitals, and white letters on black squares and circles.
      ["\u1d18\u1d07\u1d18\u1d07", "PEPE"],
      ["\ua730\u1d00\u0280\u1d0d \u1d0b\u026a\u0274\u0262", "Farm King"],
      ["\u{1f17f}\u{1f174}\u{1f17f}\u{1f174}", "PEPE"],
      ["\u{1f15c}\u{1f158}\u{1f163}", "MIT"],
    ] as const)
      assert.isTrue(isConfusable(left, right), `${left} ${right}`)
  })

  it("are not shared by what differs", () => {
    for (const [left, right] of [
      ["PEPE", "PEPO"],
      ["\u0e01\u0e34", "\u0e01\u0e38"],
      ["PEPE", "PEPE2"],
      ["$", "\u20ac"],
      ["\u00ae", "\u2122"],
      ["\u2800", "\ufffc\u3000"],
      ["...", "!!!"],
      [" ", "\u3000"],
    ] as const)
      assert.isFalse(isConfusable(left, right), `${left} ${right}`)
  })

  it("are at most two of at most 128 units, whatever the text", () => {
    for (const text of [
      "a".repeat(10_000),
      `a${"\u0301".repeat(10_000)}`,
      "\ufdfa".repeat(10_000),
      "\u{1d15e}".repeat(10_000),
      `${"x".repeat(127)}\u{1f600}`,
      "\u0000\u0001",
      "",
    ]) {
      const keys = confusableKeys(text)
      assert.isAtMost(keys.length, 2)
      for (const key of keys) {
        assert.isAtMost(key.length, 128)
        assert.isTrue(key.isWellFormed())
        assert.notInclude(key, "\0")
      }
    }
    assert.deepStrictEqual(confusableKeys(`a${"\u0301".repeat(50)}`), ["a"])
  })
})

describe("Unsafe text", () => {
  it("is named by its kind", () => {
    for (const [text, kinds] of [
      ["PEPE", []],
      ["Café 東京 🐸❤\ufe0f", []],
      ["\u202eEPEP", ["bidi_control"]],
      ["PE\u200bPE\u200f", ["bidi_control", "zero_width"]],
      ["PE\nPE", ["control"]],
      ["PEPE\u3164", ["invisible"]],
      ["PE\u00adPE", ["invisible"]],
      ["PEPE\u2800", ["invisible"]],
      ["PEPE\ufffa", ["invisible"]],
      ["PEPE\ufe0f", ["invisible"]],
      ["1\ufe0f\u20e3 \u2122\ufe0f \u{1f3f4}\ufe0f", []],
      ["P\u0301\u0302\u0303\u0304", ["stacked_marks"]],
      ["р\u0430ypal", ["mixed_scripts"]],
      ["\u041f\u0440\u0438\u0432\u0435\u0442", []],
    ] as const)
      assert.deepStrictEqual(unsafeKinds(text), [...kinds], JSON.stringify(text))
  })
})
