import { execFile } from "node:child_process"
import { request as httpRequest } from "node:http"
import { promisify } from "node:util"
import { brotliDecompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { compareAll, manyLaunches } from "../../server/test/launch/ManyLaunches.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { rowOfLaunch } from "../src/browser/board/BoardState.ts"

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

const FIRST_VIEW_BYTES_MAX = 120_000
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
        "img-src 'self' https: data:",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      const html = bytes.toString()
      assert.notMatch(html, /https?:|<style|\bstyle=|\bon\w+=|\{(?!"rows":\[\],"readAt":)/)
      // One script from here, and data.
      assert.deepStrictEqual(
        Array.from(html.matchAll(/<script [^>]*/g), ([tag]) => tag.replaceAll(/files\/[^/]+/g, "files")),
        [
          '<script src="console/files/Opening.js" data-then="console/files/Main.js"',
          '<script type="application/json" id="first-list"',
        ],
      )
    }),
  )

  it.effect("has modules that browsers can run, which import nothing that is not there", () =>
    Effect.gen(function* () {
      const { bytes } = yield* ask("/console")
      const first = new Set(referredIn(bytes.toString()))
      assert.isAbove(first.size, 15)
      // And what is loaded when it is needed, as it is found.
      const paths = new Set(first)
      for (const path of paths) {
        const { bytes: content, headers, status } = yield* ask(path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers["cache-control"], IMMUTABLE)
        const isStyle = path.endsWith(".css")
        assert.strictEqual(
          headers["content-type"],
          isStyle ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
        )
        if (isStyle) continue
        const text = content.toString()
        assert.notMatch(text, /^(import type|interface|type) |\bas const\b|sourceMappingURL/m, path)
        for (const [, call, specifier] of text.matchAll(/\b(?:from\s*|import\s*(\()?)"([^"]+)"/g)) {
          assert.match(specifier!, /^\.\.?\/.+\.js$/, path)
          const imported = new URL(specifier!, `http://here${path}`).pathname
          // All that the first view imports is preloaded.
          if (first.has(path) && call === undefined) assert.include([...first], imported, path)
          paths.add(imported)
        }
      }
      const vendor = [...paths].filter((path) => path.includes("/vendor/"))
      assert.lengthOf(vendor, 4)
      for (const path of vendor)
        assert.match(
          (yield* ask(path)).bytes.toString(),
          /^\/\*!\n(htm|lightweight-charts|preact) \d+\.\d+\.\d+\n[^]*(MIT License|Apache License)/i,
        )
      const charts = vendor.find((path) => path.includes("charts"))!
      assert.isFalse(first.has(charts))
      assert.match(
        (yield* ask(charts)).bytes.toString(),
        /Copyright \(c\) 2025 TradingView, Inc\. https:\/\/www\.tradingview/,
      )
    }),
  )

  it.effect("has a first view of less than 120 kB compressed", () =>
    Effect.gen(function* () {
      const accept = { "accept-encoding": "br" }
      const { bytes: page, headers } = yield* ask("/console", accept)
      assert.strictEqual(headers["content-encoding"], "br")
      let sum = page.length
      for (const path of new Set(referredIn(brotliDecompressSync(page).toString())))
        sum += (yield* ask(path, accept)).bytes.length
      assert.isBelow(sum, FIRST_VIEW_BYTES_MAX)
      assert.isAbove(sum, 10_000)
    }),
  )

  it.effect("has modules that are not sent again to who has them, and sends no body to HEAD", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* ask("/console")
      const module = referredIn(bytes.toString()).find((path) => path.endsWith("Main.js"))!
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

  it.effect("is made of its sources without a warning", () =>
    Effect.promise(async () => {
      const made = `await import(${JSON.stringify(new URL("../src/ConsoleFiles.ts", import.meta.url).href)}).then(({ consoleFiles }) => consoleFiles())`
      const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", made])
      assert.strictEqual(stderr, "")
    }),
  )

  it.effect("gives a page of another version its files, which nothing keeps", () =>
    Effect.gen(function* () {
      const { headers, status } = yield* ask("/console/files/another/Main.js")
      assert.deepStrictEqual([status, headers["cache-control"]], [200, "no-cache"])
    }),
  )

  it.effect("answers 404 in the envelope for everything else, and no path leads out of it", () =>
    Effect.gen(function* () {
      const { bytes } = yield* ask("/console")
      const main = referredIn(bytes.toString()).find((path) => path.endsWith("Main.js"))!
      const folder = main.slice(0, -"Main.js".length)
      for (const path of [
        ...["/console/", "/console/x", "/console/files", "/console/files/", "/console/files/x", "/Console"],
        ...[`${folder}`, `${folder}Main.ts`, `${folder}console.html`, `${folder}tsconfig.json`, `${folder}missing.js`],
        ...["../ConsoleFiles.ts", "../../package.json", "..%2f..%2fpackage.json", "%2e%2e/ConsoleFiles.ts"].map(
          (outside) => `${folder}${outside}`,
        ),
        ...[`${folder}/Main.js`, `${folder}board/../Main.js`, `${folder}%4dain.js`, `${folder}__proto__`],
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

/** A page, its mints, and whether it has a list. */
const opened = Effect.map(ask("/console"), ({ bytes, status }) => {
  const html = bytes.toString()
  const mints = Array.from(html.matchAll(/<tr role="row" data-mint="([^"]+)"/g), ([, mint]) => mint!)
  return { status, html, mints, hasList: html.includes('id="first-list"') }
})

layer(TestServer.layer(), { excludeTestServices: true })("The page of a console with launches", (it) => {
  it.effect("has the newest ones in it, as the list of the API has them", () =>
    Effect.gen(function* () {
      yield* manyLaunches(30)
      yield* compareAll
      const { request } = yield* TestServer
      const { body } = yield* request("/api/launch/pools?include=market&limit=20&registered=any")
      const { html, mints } = yield* opened
      const newest = body.data.map(({ mintAddress }: { readonly mintAddress: string }) => mintAddress)
      assert.deepStrictEqual(mints, newest.slice(0, 10))
      const [, list = ""] = /id="first-list">(.*?)<\/script>/s.exec(html)!
      const { readAt, rows } = JSON.parse(list)
      assert.deepStrictEqual(
        rows,
        body.data.map((launch: Parameters<typeof rowOfLaunch>[0]) => rowOfLaunch(launch)),
      )
      assert.isAtMost(readAt, Date.now())
      const { bytes, headers } = yield* ask("/console", { "accept-encoding": "br" })
      assert.isBelow(bytes.length, 10_000)
      assert.include(brotliDecompressSync(bytes).toString(), mints[0]!)
      assert.strictEqual(headers.vary, "accept-encoding")
    }),
  )

  it.effect("is served without them while the database takes long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const without = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`lock table dbc_pools in access exclusive mode`
          return yield* Effect.all(
            Array.from({ length: 50 }, () => opened),
            { concurrency: "unbounded" },
          )
        }),
      )
      for (const { hasList, html, mints, status } of without) {
        assert.deepStrictEqual([status, mints, hasList], [200, [], false])
        assert.match(html, /<h1>Board<\/h1>.*Reading tokens/s)
      }
      assert.lengthOf((yield* opened).mints, 10)
    }),
  )
})
