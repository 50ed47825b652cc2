import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { MetadataDraft } from "../src/ipfs/IpfsApi.ts"
import { LaunchMetadata } from "../src/launch/LaunchRequests.ts"
import { skeleton } from "../src/text/Skeleton.ts"
import { plain } from "../src/text/PlainText.ts"
import { unsafeKinds } from "../src/text/UnsafeText.ts"
import { TokenChange } from "../src/tokens/TokenDraft.ts"

/** Whether each body that has a description takes this one. */
const takenBy = (description: string): ReadonlyArray<boolean> => {
  const label = { name: "Name", symbol: "SYM" }
  return [
    Exit.isSuccess(Schema.decodeUnknownExit(TokenChange)({ description })),
    Exit.isSuccess(Schema.decodeUnknownExit(MetadataDraft)({ ...label, description })),
    Exit.isSuccess(Schema.decodeUnknownExit(LaunchMetadata)({ ...label, description })),
  ]
}

describe("A description", () => {
  it("has lines, tabs and emoji, and is written in either direction", () => {
    for (const text of [
      "",
      "Two\nlines\r\n\tand a tab",
      "A family: \u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u200fABC\u200e",
      "soft\u00adhyphen",
      "x".repeat(5_000),
    ])
      assert.deepStrictEqual(takenBy(text), [true, true, true], JSON.stringify(text.slice(0, 50)))
  })

  it("turns no text around, and hides none", () => {
    for (const hidden of ["\u3164", "\u{e0041}", "\ue000", "\u0378", "\ud800", "x\ufe0f\ufe0f", "\ufff9"])
      assert.deepStrictEqual(takenBy(`Send to ${hidden}moc`), [false, false, false], JSON.stringify(hidden))
    for (const character of "\u0000\u0008\u000b\u001b\u007f\u0085\u180e\u200b\u202a\u202d\u202e\u2060\u2066\u2067\u2069\ufeff")
      assert.deepStrictEqual(
        takenBy(`Send to ${character}moc.elpmaxe`),
        [false, false, false],
        JSON.stringify(character),
      )
    assert.deepStrictEqual(takenBy("x".repeat(5_001)), [false, false, false])
  })
})

/** Whether each body that has labels takes this one, as each of them. */
const labelledBy = (text: string): ReadonlyArray<boolean> =>
  [
    ...[{ name: text }, { symbol: text }, { tags: [text] }].map((body) => [TokenChange, body] as const),
    ...[{ name: text }, { symbol: text }].flatMap((body) =>
      [MetadataDraft, LaunchMetadata].map((schema) => [schema, { name: "N", symbol: "S", ...body }] as const),
    ),
  ].map(([schema, body]) => Exit.isSuccess(Schema.decodeUnknownExit(schema as Schema.Codec<unknown>)(body)))

/** Honest names, short enough for a symbol on chain. */
const SHORT = [
  ...[
    "Doge",
    "$PEPE",
    "1",
    "Zo\u00eb",
    "\u2122",
    "\u00a9\ufe0f",
    "\u{1f436}",
    "\u2764\ufe0f",
    "\u2764\ufe0e",
    "1\ufe0f\u20e3",
  ],
  ...[
    "\u{1f1e8}\u{1f1ed}",
    "\u{1f44d}\u{1f3fd}",
    "\u6bd4\u7279\u5e01",
    "\u0915\u094d\u200d",
    "\u0e01\u0e33",
    "\ud55c\uad6d",
  ],
]

const HONEST = [
  ...SHORT,
  // A family, an astronaut, a runner, flags of a rainbow, the same without its style, and of England.
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{1f9d1}\u{1f3fd}\u200d\u{1f680}",
  "\u{1f3c3}\u{1f3fd}\u200d\u2640\ufe0f",
  "\u{1f3f3}\ufe0f\u200d\u{1f308}",
  "\u{1f3f3}\u200d\u{1f308}",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  // Persian, Arabic and Hebrew with signs, Hindi with and without conjuncts, Bengali, Sinhala, Malayalam.
  ...[
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0645\u064e\u0631\u0652",
    "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
  ],
  ...[
    "\u0928\u092e\u0938\u094d\u0924\u0947",
    "\u0915\u094d\u200d\u0937",
    "\u0915\u094d\u200c\u0937",
    "\u09b0\u200d\u09cd\u09af",
  ],
  ...["\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0d28\u0d4d\u200d"],
  // Kurdish as it is written with heh: we, Komala, Komala in a name of two words; years of the Hijri calendar.
  ...[
    "\u0626\u06ce\u0645\u0647\u200c",
    "\u06a9\u06c6\u0645\u0647\u200c\u06b5\u0647\u200c",
    "\u06a9\u06c6\u0645\u0647\u200c\u06b5\u0647\u200c 2",
    "\u06f1\u06f4\u06f0\u06f3 \u0647\u200d.\u0634",
    "\u06f1\u06f4\u06f0\u06f3\u0647\u200d",
  ],
  // Thai, Japanese with its space, Mongolian, Amharic, Khmer, Burmese, Tibetan.
  ...[
    "\u0e1b\u0e23\u0e30\u0e40\u0e17\u0e28\u0e44\u0e17\u0e22",
    "\u30d3\u30c3\u30c8\u3000\u65b0",
    "\u182e\u1823\u1829\u182d\u1823\u182f",
  ],
  ...["\u1324\u1293", "\u1781\u17d2\u1798\u17c2\u179a", "\u1019\u103c\u1014\u103a\u1019\u102c", "\u0f56\u0f7c\u0f51"],
]

const HIDDEN = [
  // Separators of lines, fillers, tags, selectors, joiners, private use, unassigned, half characters.
  ...[
    "a\u2028b",
    "a\u2029b",
    "\u3164",
    "x\u115f",
    "\u1160x",
    "\uffa0",
    "a\u{e0041}b",
    "a\u{e0001}",
    "a\ufe0f",
    "A\ufe00",
  ],
  ...["1\ufe0f", "\u2764\ufe0f\ufe0f", "\u845b\u{e0100}", "x\u{e01ef}", "\u{1f436}\u{e0100}", "a\u200db", "a\u200cb"],
  ...[
    "e\u0301\u200dx",
    "\u{1f436}\u200d",
    "\u200d\u{1f436}",
    "\u0645\u200c",
    "\u0645\u200c\u200c\u06cc",
    "\u0627\u200c",
    "\u062f\u200d",
    "\u0645\u200d",
    "\u0647\u200c\u200c",
    "\u0647\u200d\u200d",
    "\u0647\u200d\u200c",
    "\u0647\u200d\u0645",
    "\u06be\u200c",
    "\u0915\u094d\u200d\u200d",
  ],
  ...["\u{1f3f4}\u{e0067}\u{e007f}", "a\ue000", "a\u{f0000}", "a\u0378", "\ufdd0x", "x\ud800", "a\u034fb", "a\u00adb"],
  ...[
    "a\u202eb",
    "a\u2066",
    "a\u200f",
    "a\u061cb",
    "a\u2060",
    "a\u206ab",
    "x\u17b4",
    "x\u180e",
    "x\ufff9",
    "a\u0000",
    "a\u0085",
  ],
  // Shown as nothing, and whole names of nothing.
  ...["USDC\u2800", "\u2800", "x\u{1d159}", "x\ufffc", "x\u{13441}", "\u0301", " ", "\u3000", "\u00a0", ""],
]

describe("A label", () => {
  it("is written in any script, with the joiners that it needs, and with any emoji", () => {
    for (const text of HONEST) {
      const isShort = SHORT.includes(text)
      const [name, symbol, tag, documentName, launchName, documentSymbol, launchSymbol] = labelledBy(text)
      const shown = JSON.stringify(text)
      assert.deepStrictEqual([name, symbol, tag, documentName, documentSymbol], Array(5).fill(true), shown)
      if (isShort) assert.deepStrictEqual([launchName, launchSymbol], [true, true], shown)
      assert.strictEqual(plain(text, 128), text, shown)
      // A name with another joiner, or without it, is named as one that looks alike.
      assert.strictEqual(skeleton(text), skeleton(text.replaceAll(/[\u200c\u200d]/g, "")), shown)
      assert.notIncludeMembers([...unsafeKinds(text)], ["zero_width", "invisible", "control"], shown)
    }
  })

  it("has nothing that is not shown, and something that is", () => {
    for (const text of HIDDEN) {
      assert.deepStrictEqual(labelledBy(text), Array(7).fill(false), JSON.stringify(text))
      const cleaned = plain(text, 128)
      if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(cleaned))
        assert.deepStrictEqual(labelledBy(cleaned).slice(0, 3), Array(3).fill(true), JSON.stringify(text))
    }
  })

  it("of the chain is cut without a half of anything", () => {
    for (const text of HONEST)
      for (let length = 0; length <= text.length; length++)
        assert.strictEqual(plain(plain(text, length), 128), plain(text, length))
  })
})
