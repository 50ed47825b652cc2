import { assert, describe, it } from "@effect/vitest"
import { prefersHtml } from "../src/answers/AcceptHeader.ts"

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
