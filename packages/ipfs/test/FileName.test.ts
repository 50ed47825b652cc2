import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { examples } from "../../../scripts/Laws.ts"
import { cleanFileName } from "../src/content/FileName.ts"

const LENGTH_MAX = 128

/** Problematic pieces of file names, in any order. */
const PIECES = [
  ...["/", "\\", "..", ".", " ", "\u0000", "\n", "\u202e", "\u200b", "\ufeff", "\u2028", "\ud800", "\u{e0041}"],
  ...["con", "NUL", "com1", "aux.", ":", "*", "?", "<", '"', "|", "\u2215", "\uff0f", "e\u0301", "😀", ".png"],
]
const Piece = Schema.Union([Schema.Literals(PIECES), Schema.String])
const Name = Schema.Array(Piece)

describe("A file name", () => {
  it.each([
    ["logo.png", "logo.png"],
    ["../../etc/passwd", "passwd"],
    ["..\\..\\windows\\system32\\logo.png", "logo.png"],
    ["C:\\Users\\me\\My Logo.png", "My Logo.png"],
    ["/", undefined],
    ["../..", undefined],
    ["folder/", "folder"],
    [".htaccess", "htaccess"],
    ["logo.png. . .", "logo.png"],
    ["a\u0000.png", "a.png"],
    ["gnp.\u202eexe.png", "gnp.exe.png"],
    ["lo\u200bgo\u00ad\ufeff.png", "logo.png"],
    ["a\r\nSet-Cookie: b.png", "aSet-Cookie b.png"],
    ["a\u2028b.png", "ab.png"],
    ["..\u2215..\u2215secret.png", "secret.png"],
    ["..\uff0fsecret.png", "secret.png"],
    ["CON", "_CON"],
    ["nul.png", "_nul.png"],
    ["console.png", "console.png"],
    ["COM\u00b9.txt", "_COM\u00b9.txt"],
    ["cafe\u0301.png", "caf\u00e9.png"],
    ["\ud800\u0000", undefined],
    ["  \t ", undefined],
    ["ロゴ 😀.webp", "ロゴ 😀.webp"],
    ["", undefined],
  ])("%j becomes %j", (name, expected) => {
    assert.strictEqual(cleanFileName(name), expected)
  })

  it("is truncated between characters, and keeps its extension", () => {
    const cleaned = cleanFileName(`${"😀".repeat(500)}.png`)!
    assert.strictEqual(cleaned, `${"😀".repeat(LENGTH_MAX - 4)}.png`)
    assert.strictEqual(cleanFileName("x".repeat(500)), "x".repeat(LENGTH_MAX))
    assert.strictEqual(cleanFileName(`x.${"y".repeat(500)}`)!.length, LENGTH_MAX)
  })

  it.prop(
    "is a single readable path segment, and cleaning it again changes nothing",
    [Name],
    ([pieces]) => {
      const cleaned = cleanFileName(pieces.join(""))
      if (cleaned === undefined) return
      assert.isTrue(cleaned.isWellFormed())
      assert.isAtLeast(cleaned.length, 1)
      assert.isAtMost(Array.from(cleaned).length, LENGTH_MAX)
      assert.notMatch(cleaned, /[/\\:*?"<>|\p{C}\u2028\u2029\u2215\uff0f]/u)
      assert.notMatch(cleaned, /^[.\s]|[.\s]$/)
      assert.notMatch(cleaned, /^(con|nul|com1|aux)(\.|$)/i)
      assert.strictEqual(cleanFileName(cleaned), cleaned)
    },
    { arbitrary: { runs: examples(100, 5_000) } },
  )
})
