import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { MetadataDraft } from "../src/ipfs/IpfsApi.ts"
import { LaunchMetadata } from "../src/launch/LaunchRequests.ts"
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
    for (const character of "\u0000\u0008\u000b\u001b\u007f\u0085\u180e\u200b\u202a\u202d\u202e\u2060\u2066\u2067\u2069\ufeff")
      assert.deepStrictEqual(
        takenBy(`Send to ${character}moc.elpmaxe`),
        [false, false, false],
        JSON.stringify(character),
      )
    assert.deepStrictEqual(takenBy("x".repeat(5_001)), [false, false, false])
  })
})
