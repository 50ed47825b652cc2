import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"
import { operations } from "./ContractDocument.ts"
import { TestServer } from "../TestServer.ts"

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(async () => {
      const answer = await fetch(`${url}${path}`, { method, headers })
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
    }),
  )

layer(TestServer.layer(), { excludeTestServices: true })("The documentation", (it) => {
  it.effect("has no script, and loads nothing but its icon", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* ask("/docs")
      const html = bytes.toString()
      const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html)!
      assert.sameMembers(headers.get("content-security-policy")!.split("; "), [
        "default-src 'none'",
        `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
        "img-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      assert.notMatch(html, /<script|\bsrc=|<a href="(?!#|openapi\.json")|<[^>]* on\w+=/)
      assert.include(html, '<link rel="icon" href="favicon.ico"')
      for (const [name, value] of [
        ["content-type", "text/html; charset=utf-8"],
        ["x-frame-options", "DENY"],
        ["referrer-policy", "no-referrer"],
      ] as const)
        assert.strictEqual(headers.get(name), value)
    }),
  )

  it.effect("shows every operation with its examples and errors, and every schema, what users need first", () =>
    Effect.gen(function* () {
      const html = (yield* ask("/docs")).bytes.toString()
      const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
      const { components } = JSON.parse(openApiText)
      assert.sameMembers(ids, [...operations.map(({ operationId }) => operationId), ...Object.keys(components.schemas)])
      const linked = new Set(Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id))
      assert.includeMembers(ids, [...linked])
      for (const { method, path } of operations)
        assert.include(html, `<code><b>${method.toUpperCase()}</b> ${path}</code>`)
      const sections = Array.from(html.matchAll(/<h2>(.+?)<\/h2>/g), ([, name]) => name)
      assert.deepStrictEqual(
        [sections[0], sections.indexOf("System") > sections.indexOf("Notifications"), sections.at(-1)],
        ["Launch", true, "Schemas"],
      )
      const [, registration = ""] = /id="tokens\.create">([^]*?)<\/details>/.exec(html)!
      for (const words of ["contradicts_chain", "idempotency-key", "&#34;symbol&#34;: &#34;TEST&#34;", "rate_limited"])
        assert.include(registration, words)
    }),
  )

  it.effect("is revalidated by ETag", () =>
    Effect.gen(function* () {
      for (const path of ["/docs", "/openapi.json"]) {
        const { bytes, headers } = yield* ask(path)
        if (path === "/openapi.json") assert.strictEqual(bytes.toString(), JSON.stringify(JSON.parse(openApiText)))
        const head = yield* ask(path, {}, "HEAD")
        assert.lengthOf(head.bytes, 0, path)
        for (const name of ["etag", "content-length", "content-type", "cache-control"])
          assert.strictEqual(head.headers.get(name), headers.get(name), `${path} ${name}`)
        const etag = headers.get("etag")!
        for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
          const again = yield* ask(path, { "if-none-match": known })
          assert.deepStrictEqual([again.status, again.bytes.length], [304, 0], path)
          assert.deepStrictEqual(
            [again.headers.get("etag"), again.headers.get("cache-control")],
            [etag, "no-cache"],
            path,
          )
        }
        assert.strictEqual((yield* ask(path, { "if-none-match": '"x"' })).status, 200, path)
      }
    }),
  )
})
