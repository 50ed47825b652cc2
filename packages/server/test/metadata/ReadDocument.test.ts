import { assert, describe, it } from "@effect/vitest"
import { readDocument } from "../../src/metadata/ReadDocument.ts"

const read = (text: string) => readDocument(new TextEncoder().encode(text))
const readOf = (document: unknown) => read(JSON.stringify(document))

/** What strangers write as links. */
const NO_LINKS = [
  ...[
    "",
    " ",
    "tokens.example",
    "@tokens",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "//x.example",
  ],
  ...["http://tokens.example", "https://user@tokens.example", "https://a\u202eb.example", "https:\\\\x.example"],
  ...["vbscript:x", "file:///x", `https://x.example/${"x".repeat(2_048)}`, 1, null, {}, ["https://x.example"]],
]

describe("A metadata document", () => {
  it("says image, description and links, at the top level or under extensions; its name and symbol are not read", () => {
    const top = {
      ...{ name: "Another", symbol: "OTHER", image: "ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG" },
      ...{ description: " A\n\ntoken ", website: "https://tokens.example", twitter: "https://x.com/tokens" },
      ...{ telegram: "https://t.me/tokens", createdOn: "https://elsewhere.example" },
    }
    assert.deepStrictEqual(readOf(top), {
      ...{ image: top.image, description: "A token", website: top.website, twitter: top.twitter },
      telegram: top.telegram,
    })
    const links = { website: "https://a.example", twitter: "https://x.com/a", telegram: "https://t.me/a" }
    assert.deepStrictEqual(readOf({ extensions: links }), links)
    assert.deepStrictEqual(readOf({ external_url: "https://b.example", website: "b" }), {
      website: "https://b.example",
    })
    assert.deepStrictEqual(readOf({}), {})
  })

  it("has links of https and ipfs alone, which lead where they say", () => {
    for (const link of NO_LINKS)
      assert.deepStrictEqual(
        readOf({ image: link, website: link, twitter: link, telegram: link, external_url: link, extensions: link }),
        {},
        String(link),
      )
  })

  it("has a description of bounded length, without characters that hide or cut text", () => {
    assert.deepStrictEqual(readOf({ description: "a\u202eb\u0007c\u200b" }), { description: "abc" })
    const { description } = readOf({ description: "🙂".repeat(40_000 / 4) })!
    assert.isAtMost(description!.length, 1_000)
    assert.isTrue(description!.isWellFormed())
    for (const value of [1, null, {}, ["x"], " \n "]) assert.deepStrictEqual(readOf({ description: value }), {})
  })

  it("is none unless it is one JSON object with each key once, in UTF-8, with bounded depth and number of values", () => {
    for (const text of [
      ...["", "null", "1", '"x"', "[]", "<html>busy</html>", "{", '{"image":1,}', "{}{}", "{'image':1}"],
      ...['{"image":"https://a.example","image":"https://b.example"}', '{"__proto__":{"image":"https://a.example"}}'],
      ...[
        `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
        `{"a":[${"1,".repeat(20_000)}1]}`,
        '{"description":"\\ud800"}',
      ],
      '{"description":"\\u0000"}',
    ])
      assert.isUndefined(read(text), text.slice(0, 60))
    assert.isUndefined(readDocument(new Uint8Array([123, 34, 97, 34, 58, 34, 0xff, 34, 125])))
    assert.deepStrictEqual(read("\ufeff{}"), {})
  })
})
