import { assert, layer } from "@effect/vitest"
import { OPEN_ACCESS } from "../../src/access/AccessOptions.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, learnCurve } from "../launch/IndexedTrades.ts"
import { compareAll } from "../launch/ManyLaunches.ts"

const SITE = "https://registry.example.com"
const access = { ...OPEN_ACCESS, site: { ...OPEN_ACCESS.site, uri: SITE } }

const RED = "#c01020"

/** An image of one colour, stored here; its URI. */
const stored = Effect.gen(function* () {
  const { request } = yield* TestServer
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: RED } })
  const bytes = yield* Effect.promise(() => image.png().toBuffer())
  const body = new FormData()
  body.append("image", new Blob([Uint8Array.from(bytes)]), "red.png")
  return `ipfs://${(yield* request("/api/ipfs/upload-image", { raw: body })).body.data.cid as string}`
})

/** A launch that is indexed; its mint. */
const launched = Effect.fnUntraced(function* (name: string, symbol: string, image?: string) {
  const sql = yield* SqlClient
  const [mint, config] = [sampleAddress(), sampleAddress()]
  yield* indexPool(mint, { config })
  yield* learnCurve(config, { baseDecimals: 6, supply: "1000000000" })
  yield* sql`update dbc_pools set name = ${name}, symbol = ${symbol} where base_mint = ${mint}`
  if (image !== undefined) {
    const json = { name: "Documented", symbol: "DOC", imageUri: image }
    const { body } = yield* (yield* TestServer).request("/api/ipfs/upload-metadata", { json })
    yield* sql`update dbc_pools set uri = ${body.data.metadataUri} where base_mint = ${mint}`
  }
  yield* compareAll
  return mint
})

const contentOf = (html: string) =>
  new Map(
    Array.from(html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g), ([, key, value]) => [
      key,
      value,
    ]),
  )

/** Pixels of a picture: its size, and the colour at a place. */
const pixelsOf = (bytes: ArrayBuffer) =>
  Effect.promise(async () => {
    const { data, info } = await sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)]
    return { size: [info.width, info.height], at }
  })

layer(TestServer.layer({ access }), { excludeTestServices: true })("A link to a token", (it) => {
  it.effect("says in chats what the token is, and sends people on without a script", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const mint = yield* launched(`Cats & "Dogs" <b>`, "CATS")
      const response = yield* fetch(`/t/${mint}`)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      const html = yield* Effect.promise(() => response.text())
      const meta = contentOf(html)
      assert.strictEqual(meta.get("og:title"), "CATS: Cats &#38; &#34;Dogs&#34; &#60;b&#62;")
      assert.strictEqual(meta.get("og:url"), `${SITE}/t/${mint}`)
      assert.strictEqual(meta.get("og:image"), `${SITE}/t/${mint}/image.png`)
      assert.strictEqual(meta.get("twitter:image"), meta.get("og:image"))
      assert.strictEqual(meta.get("twitter:card"), "summary_large_image")
      assert.match(meta.get("og:description")!, /^Market cap [\d.]+ SOL/)
      assert.include(html, `<link rel="canonical" href="${SITE}/t/${mint}">`)
      assert.include(html, `<meta http-equiv="refresh" content="0; url=../console#/token/${mint}">`)
      assert.notMatch(html, /<script|\bstyle=|<b>/)
      assert.match(response.headers.get("content-security-policy")!, /default-src 'none'.*img-src 'self'/)
      const known = yield* fetch(`/t/${mint}`, { headers: { "if-none-match": response.headers.get("etag")! } })
      assert.strictEqual(known.status, 304)
    }),
  )

  it.effect("has a picture with the stored image, which caches keep for a minute", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const mint = yield* launched("Kiln & Co <x>", "KILN", yield* stored)
      const path = `/t/${mint}/image.png`
      const answers = yield* Effect.all([fetch(path), fetch(path)], { concurrency: 2 })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const [response, other] = answers
      assert.strictEqual(response.headers.get("content-type"), "image/png")
      assert.strictEqual(response.headers.get("cache-control"), "public, max-age=60")
      assert.strictEqual(response.headers.get("etag"), other.headers.get("etag"))
      const { at, size } = yield* Effect.flatMap(
        Effect.promise(() => response.arrayBuffer()),
        pixelsOf,
      )
      assert.deepStrictEqual(size, [1_200, 630])
      assert.deepStrictEqual(at(240, 240), [0xc0, 0x10, 0x20])
      // Its corners are round.
      assert.deepStrictEqual(at(80, 80), at(10, 10))
      const known = yield* fetch(path, { headers: { "if-none-match": response.headers.get("etag")! } })
      assert.strictEqual(known.status, 304)
    }),
  )

  it.effect("has a picture with any name, of what is not stored here without its image", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const [name, symbol, image] of [
        ["長い名前".repeat(30), "日本語", "https://images.invalid/far.png"],
        ["W".repeat(128), "W".repeat(32), `ipfs://bafkreicddssqdf4tpeiz4yjbaskri6q42i7fx5754ji2gy36btt5hzero4`],
        ["👩‍👩‍👧 مرحبا &amp;", "🚀", undefined],
        ["", "", undefined],
      ] as const) {
        const response = yield* fetch(`/t/${yield* launched(name, symbol, image)}/image.png`)
        assert.strictEqual(response.status, 200, symbol)
        const { size } = yield* Effect.flatMap(
          Effect.promise(() => response.arrayBuffer()),
          pixelsOf,
        )
        assert.deepStrictEqual(size, [1_200, 630])
      }
    }),
  )

  it.effect("waits for no pictures of mints without a launch", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const statuses = yield* Effect.forEach(
        Array.from({ length: 60 }, sampleAddress),
        (mint) => Effect.map(fetch(`/t/${mint}/image.png`), ({ status }) => status),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(new Set(statuses), new Set([404]))
    }),
  )

  it.effect("is a 404 for a mint without a launch, as a page and as a picture", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      for (const mint of [sampleAddress(), "nothing"]) {
        const page = yield* fetch(`/t/${mint}`)
        assert.strictEqual(page.status, 404)
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(yield* Effect.promise(() => page.text()), "No such token")
        const picture = yield* request(`/t/${mint}/image.png`)
        assert.strictEqual(picture.status, 404)
        assert.strictEqual(picture.body.code, "not_found")
      }
    }),
  )

  it.effect("has so many pictures drawn at once, and refuses more", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const mints = yield* Effect.forEach(Array.from({ length: 40 }), (_, n) => launched(`Crowd ${n}`, "CROWD"))
      const answers = yield* Effect.forEach(mints, (mint) => fetch(`/t/${mint}/image.png`), {
        concurrency: "unbounded",
      })
      const statuses = answers.map(({ status }) => status)
      assert.includeMembers(statuses, [200, 503])
      assert.isEmpty(statuses.filter((status) => status !== 200 && status !== 503))
      assert.isAbove(statuses.filter((status) => status === 200).length, 15)
      const refused = answers.find(({ status }) => status === 503)!
      assert.isNotNull(refused.headers.get("retry-after"))
    }),
  )
})
