import { createHash } from "node:crypto"
import { assert, describe, it as itAlone, layer } from "@effect/vitest"
import type { Health } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import { indexPage } from "../../src/system/IndexPage.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

layer(TestServer.layer(), { excludeTestServices: true })("The front page", (it) => {
  it.effect("is HTML for a browser, with working links", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const response = yield* fetch("/", { headers: { accept: BROWSER } })
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(response.headers.get("vary"), "accept")
      const html = yield* Effect.promise(() => response.text())
      for (const part of ["Token Launch Registry", "0.0.0-test", "localnet", "<strong>ok</strong>", "INTENTS_URL"])
        assert.include(html, part)
      const links = Array.from(html.matchAll(/href="([^"]*)"/g), ([, link = ""]) => link)
      assert.includeMembers(links, ["console", "docs", "openapi.json", "readyz", "metrics"])
      for (const link of links) assert.strictEqual((yield* fetch(`/${link}`)).status, 200, link)

      const [, style = ""] = /<style>([^]*)<\/style>/.exec(html)!
      const policy = response.headers.get("content-security-policy")!.split("; ")
      assert.sameMembers(policy, [
        "default-src 'none'",
        `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
        "img-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      assert.notMatch(html, /<script|\bstyle=|\bon\w+=/)
      assert.strictEqual(response.headers.get("x-frame-options"), "DENY")

      const head = yield* fetch("/", { method: "HEAD", headers: { accept: BROWSER } })
      assert.strictEqual(head.headers.get("content-type"), "text/html; charset=utf-8")
    }),
  )

  it.effect("is JSON for all other clients", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const accept of [
        "*/*",
        "application/json",
        "application/json, text/plain, */*",
        "text/html;q=0, */*",
        "a/b",
      ]) {
        const { body, headers, status } = yield* request("/", { headers: { accept } })
        assert.strictEqual(status, 200, accept)
        assert.strictEqual(headers.get("content-type"), "application/json", accept)
        assert.strictEqual(headers.get("vary"), "accept", accept)
        assert.deepInclude(body, { success: true, message: "Token Launch Registry is running" }, accept)
      }
    }),
  )
})

describe("The front page", () => {
  itAlone("escapes all texts", () => {
    const part = { status: "up", detail: `<script>alert(1)</script>&'"` } as const
    const health: Health = {
      ...{ status: "ok", version: "<b>", network: '"><i>', uptimeSeconds: 1 },
      ...{ database: part, rpc: part, ipfs: part, bridge: part, indexer: part },
    }
    const { body } = indexPage(health)
    assert.strictEqual(body._tag, "Uint8Array")
    const html = body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""
    assert.notMatch(html, /<script|<b>|<i>/)
    assert.include(html, "&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#39;&#34;")
  })
})
