import { assert, describe, it } from "@effect/vitest"
import { codingFor, prefersHtml } from "../src/answers/AcceptHeader.ts"

const CHROME =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"

describe("An Accept header", () => {
  it("prefers HTML when its quality is higher than JSON's", () => {
    for (const accept of [
      CHROME,
      "text/html",
      "TEXT/HTML",
      "text/*",
      "text/html;charset=utf-8",
      "application/json;q=0.9, text/html",
      "*/*;q=0.1, text/html;q=0.2",
      "application/json;q=0, text/html;q=0.001",
    ])
      assert.isTrue(prefersHtml(accept), accept)
  })

  it("prefers JSON in every other case, also with equal quality", () => {
    for (const accept of [
      undefined,
      "",
      ",",
      "*/*",
      "application/json",
      "application/json, text/plain, */*",
      "application/*, text/html",
      "text/html, application/json",
      "text/html;q=0.5, application/json;q=0.6",
      "text/html;q=0, */*",
      "text/html;q=0, text/*",
      "text/html;q=0.4, */*;q=0.5",
      "image/png",
      "text/plain",
      "text/htmlx",
    ])
      assert.isFalse(prefersHtml(accept), accept)
  })
})

describe("An Accept-Encoding header", () => {
  it("selects the coding with the highest quality, and none when it refuses all or is missing", () => {
    for (const [header, coding] of [
      [undefined, undefined],
      ["", undefined],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["GZIP", "gzip"],
      ["br;q=0.5, gzip", "gzip"],
      ["br;q=0.5, gzip;q=0.5", "br"],
      ["gzip;q=0.001", "gzip"],
      ["*", "br"],
      ["br;q=0, *", "gzip"],
      ["br;q=0, gzip;q=0", undefined],
      ["*;q=0", undefined],
      ["gzip, *;q=0", "gzip"],
      ["identity", undefined],
      ["identity, gzip;q=0.5", undefined],
      ["identity;q=0.5, gzip;q=0.5", "gzip"],
      ["identity;q=0, *;q=0.1", "br"],
      ["identity;q=0", undefined],
      ["deflate, zstd", undefined],
      ["brotli", undefined],
    ] as const)
      assert.strictEqual(codingFor(header, ["br", "gzip"]), coding, header)
    assert.isUndefined(codingFor("br, gzip, *", []))
  })

  it("is looked at up to 64 codings, so that a long one costs no more", () => {
    const header = (before: number) => `${"x, ".repeat(before)}gzip`
    assert.strictEqual(codingFor(header(63), ["gzip"]), "gzip")
    assert.isUndefined(codingFor(header(64), ["gzip"]))
  })
})
