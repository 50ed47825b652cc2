import { createHash } from "node:crypto"
import { request as httpRequest } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"
import { operations } from "./ContractDocument.ts"
import { TestServer } from "../TestServer.ts"

/** An answer as received: fetch would decompress it. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(
      () =>
        new Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly bytes: Buffer }>(
          (resolve, reject) => {
            const sent = httpRequest(`${url}${path}`, { method, headers }, (response) => {
              const chunks: Array<Buffer> = []
              response.on("data", (chunk: Buffer) => chunks.push(chunk))
              response.on("end", () =>
                resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
              )
            })
            sent.on("error", reject)
            sent.end()
          },
        ),
    ),
  )

layer(TestServer.layer(), { excludeTestServices: true })("The documentation", (it) => {
  it.effect("has no script, and loads nothing but its icon", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* ask("/docs")
      const html = bytes.toString()
      const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html)!
      assert.sameMembers(String(headers["content-security-policy"]).split("; "), [
        "default-src 'none'",
        `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
        "img-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      assert.notMatch(html, /<script|\bsrc=|<a href="(?!#|openapi\.json")|<[^>]* on\w+=/)
      assert.include(html, '<link rel="icon" href="favicon.ico"')
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
      assert.deepInclude(headers, { "x-frame-options": "DENY", "referrer-policy": "no-referrer" })
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

  it.effect("is compressed for clients that accept it, and revalidated by ETag", () =>
    Effect.gen(function* () {
      for (const path of ["/docs", "/openapi.json"]) {
        const plain = yield* ask(path)
        if (path === "/openapi.json")
          assert.strictEqual(plain.bytes.toString(), JSON.stringify(JSON.parse(openApiText)))
        assert.isUndefined(plain.headers["content-encoding"])
        const etags = new Set([plain.headers.etag])
        for (const [accepted, coding, decompress] of [
          ["gzip, deflate, br", "br", brotliDecompressSync],
          ["gzip", "gzip", gunzipSync],
          ["br;q=0, *", "gzip", gunzipSync],
          ["identity, *;q=0.1", undefined, undefined],
          ["*;q=0", undefined, undefined],
        ] as const) {
          const shown = `${path} ${accepted}`
          const sent = { "accept-encoding": accepted }
          const { bytes, headers, status } = yield* ask(path, sent)
          assert.strictEqual(status, 200, shown)
          assert.strictEqual(headers["content-encoding"], coding, shown)
          assert.strictEqual(headers["content-length"], String(bytes.length), shown)
          assert.isTrue((decompress === undefined ? bytes : decompress(bytes)).equals(plain.bytes), shown)
          if (coding !== undefined) assert.isBelow(bytes.length, coding === "br" ? 65_000 : 95_000, shown)
          assert.deepInclude(headers, { vary: "accept-encoding", "cache-control": "no-cache" }, shown)
          etags.add(headers.etag)

          const head = yield* ask(path, sent, "HEAD")
          assert.lengthOf(head.bytes, 0, shown)
          for (const name of ["etag", "content-length", "content-encoding", "content-type", "vary"])
            assert.strictEqual(head.headers[name], headers[name], `${shown} ${name}`)

          const etag = String(headers.etag)
          for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
            const again = yield* ask(path, { ...sent, "if-none-match": known })
            assert.strictEqual(again.status, 304, shown)
            assert.lengthOf(again.bytes, 0, shown)
            for (const name of ["etag", "vary", "cache-control"])
              assert.strictEqual(again.headers[name], headers[name], `${shown} ${name}`)
          }
          assert.strictEqual((yield* ask(path, { ...sent, "if-none-match": '"x"' })).status, 200, shown)
        }
        assert.strictEqual(etags.size, 3, path)
      }
    }),
  )
})
