import { request as httpRequest } from "node:http"
import { brotliDecompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** As sent and received: fetch would resolve `..` and decompress. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(
      () =>
        new Promise<Received>((resolve, reject) => {
          const { hostname, port } = new URL(url)
          const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
            const chunks: Array<Buffer> = []
            response.on("data", (chunk: Buffer) => chunks.push(chunk))
            response.on("end", () =>
              resolve({
                status: response.statusCode!,
                headers: response.headers as Received["headers"],
                bytes: Buffer.concat(chunks),
              }),
            )
          })
          sent.on("error", reject)
          sent.end()
        }),
    ),
  )

/** What a page refers to, by its paths on the service. */
const referredIn = (html: string): ReadonlyArray<string> =>
  Array.from(html.matchAll(/(?:src|href)="(console\/[^"]+)"/g), ([, path]) => `/${path}`)

/** Modules and styles that a module names: imported at once, or when a page is opened. */
const namedIn = (module: string, path: string): ReadonlyArray<string> =>
  Array.from(
    module.matchAll(/["'`](\.\/[\w.-]+\.(?:js|css))["'`]/g),
    ([, name]) => new URL(name!, `http://here${path}`).pathname,
  )

const FIRST_VIEW_BYTES_MAX = 90_000
const IMMUTABLE = "public, max-age=86400, immutable"

layer(TestServer.layer(), { excludeTestServices: true })("The console", (it) => {
  it.effect("is a page that loads from here alone, and may not be framed", () =>
    Effect.gen(function* () {
      const { bytes, headers, status } = yield* ask("/console")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
      assert.strictEqual(headers["cache-control"], "no-cache")
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.sameMembers(headers["content-security-policy"]!.split("; "), [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' https: data: blob:",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      const html = bytes.toString()
      assert.notMatch(html, /https?:|<style|\bstyle=|\bon\w+=|="\.\//)
      assert.include(html, '<meta name="network" content="localnet" />')
      // Scripts from here alone, the module last.
      const scripts = Array.from(html.matchAll(/<script [^>]*>([^<]*)/g), ([, within]) => within!.trim())
      assert.deepStrictEqual([...new Set(scripts)], [""])
    }),
  )

  it.effect("is found with a slash at its end, too", () =>
    Effect.gen(function* () {
      const { bytes, headers, status } = yield* ask("/console/")
      assert.deepStrictEqual([status, headers.location, bytes.length], [308, "../console", 0])
    }),
  )

  it.effect("has files that browsers can run, which name nothing that is not there", () =>
    Effect.gen(function* () {
      const { bytes } = yield* ask("/console")
      const paths = new Set(referredIn(bytes.toString()))
      assert.isAbove(paths.size, 3)
      for (const path of paths) {
        const { bytes: content, headers, status } = yield* ask(path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers["cache-control"], path.includes("/assets/") ? IMMUTABLE : "no-cache", path)
        const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" }
        assert.strictEqual(headers["content-type"], types[path.split(".").at(-1) as keyof typeof types], path)
        if (path.endsWith(".js")) for (const named of namedIn(content.toString(), path)) paths.add(named)
      }
      // Pages that are loaded when they are opened, and the library of the chart.
      assert.isAbove([...paths].filter((path) => path.endsWith(".js")).length, 4)
      const licences = (yield* ask("/console/files/licences.md")).bytes.toString()
      for (const name of ["react", "@tanstack/react-query", "lightweight-charts"]) assert.include(licences, name)
    }),
  )

  it.effect("has a first view of at most 90 kB compressed", () =>
    Effect.gen(function* () {
      const accept = { "accept-encoding": "br" }
      const { bytes: page, headers } = yield* ask("/console", accept)
      assert.strictEqual(headers["content-encoding"], "br")
      let sum = page.length
      for (const path of new Set(referredIn(brotliDecompressSync(page).toString())))
        sum += (yield* ask(path, accept)).bytes.length
      assert.isAtMost(sum, FIRST_VIEW_BYTES_MAX)
      assert.isAbove(sum, 10_000)
    }),
  )

  it.effect("has modules that are not sent again to who has them, and sends no body to HEAD", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* ask("/console")
      const module = referredIn(bytes.toString()).find((path) => path.endsWith(".js") && path.includes("/assets/"))!
      const { headers: first } = yield* ask(module)
      assert.match(first.etag!, /^"[\w-]+"$/)
      const again = yield* ask(module, { "if-none-match": first.etag! })
      assert.deepStrictEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, first.etag])
      assert.strictEqual((yield* ask(module, { "if-none-match": '"other"' })).status, 200)
      for (const path of ["/console", module]) {
        const head = yield* ask(path, {}, "HEAD")
        assert.deepStrictEqual([head.status, head.bytes.length], [200, 0])
        assert.strictEqual(head.headers["cache-control"], (yield* ask(path)).headers["cache-control"])
        const post = yield* ask(path, {}, "POST")
        assert.deepStrictEqual([post.status, post.headers.allow], [405, "GET, HEAD"])
      }
      assert.isDefined(headers.vary)
    }),
  )

  it.effect("answers 404 in the envelope for everything else, and no path leads out of it", () =>
    Effect.gen(function* () {
      const { bytes } = yield* ask("/console")
      const main = referredIn(bytes.toString()).find((path) => path.endsWith(".js") && path.includes("/assets/"))!
      const folder = main.slice(0, main.lastIndexOf("/") + 1)
      for (const path of [
        ...["/console//", "/console/x", "/console/files", "/console/files/", "/console/files/x", "/Console"],
        ...[
          `${folder}`,
          `${folder}index.html`,
          "/console/files/index.html",
          `${folder}missing.js`,
          `${folder}__proto__`,
        ],
        ...["../brand.ts", "../../package.json", "..%2f..%2fpackage.json", "%2e%2e/brand.ts"].map(
          (outside) => `${folder}${outside}`,
        ),
        ...[main.replace("/assets/", "/assets//"), main.replace("/assets/", "/assets/x/../")],
        "/console/files/../../package.json",
        `/console/files/x/${"a/".repeat(2_000)}`,
      ]) {
        const { bytes: answer, headers, status } = yield* ask(path)
        assert.strictEqual(status, 404, path)
        assert.strictEqual(headers["content-type"], "application/json")
        const { code, success } = JSON.parse(answer.toString())
        assert.deepStrictEqual([success, code], [false, "route_not_found"], path)
        assert.isBelow(answer.length, 1_000)
      }
    }),
  )
})
