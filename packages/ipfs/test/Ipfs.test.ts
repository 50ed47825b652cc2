import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { TestServer } from "../../service/test/TestServer.ts"
import { formOf, upload } from "./images/UploadForms.ts"

const image = (format: "png" | "jpeg" | "gif" | "webp", width = 8, height = 8) =>
  Effect.promise(() =>
    sharp({ create: { width, height, channels: 3, background: "#fc0" } })
      .toFormat(format)
      .toBuffer(),
  )

layer(TestServer.layer())("Uploading to IPFS", (it) => {
  it.effect("stores the four image formats and serves them under their CIDs", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const format of ["png", "jpeg", "gif", "webp"] as const) {
        const bytes = yield* image(format)
        const { body, status } = yield* upload(formOf(bytes))
        assert.strictEqual(status, 200, JSON.stringify(body))
        const { cid, contentType, imageUri, size } = body.data
        assert.strictEqual(imageUri, `http://localhost:3001/ipfs/${cid}`)
        assert.strictEqual(contentType, `image/${format}`)
        assert.strictEqual(size, bytes.length)
        const served = yield* fetch(`/ipfs/${cid}`)
        assert.strictEqual(served.status, 200)
        assert.strictEqual(served.headers.get("content-type"), `image/${format}`)
        assert.strictEqual(served.headers.get("etag"), `"${cid}"`)
        assert.strictEqual(served.headers.get("cache-control"), "public, max-age=29030400, immutable")
        assert.strictEqual(served.headers.get("x-content-type-options"), "nosniff")
        assert.include(served.headers.get("content-security-policy"), "sandbox")
        assert.deepStrictEqual(Buffer.from(yield* Effect.promise(() => served.arrayBuffer())), bytes)
      }
    }),
  )

  it.effect("serves multi-block content whole, in ranges, and 304 to clients that have it", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      // Noise does not compress, so the file spans more than two chunks of 1 MiB.
      const noise = Buffer.from(Array.from({ length: 1000 * 900 * 3 }, (_, index) => (index * 2_654_435_761) >>> 24))
      const bytes = yield* Effect.promise(() =>
        sharp(noise, { raw: { width: 1000, height: 900, channels: 3 } })
          .png({ compressionLevel: 0 })
          .toBuffer(),
      )
      const { body } = yield* upload(formOf(bytes))
      assert.isAbove(bytes.length, 2 * 1_048_576)
      assert.match(body.data.cid, /^bafybei/)
      const path = `/ipfs/${body.data.cid}`
      const get = (headers: Record<string, string>, method = "GET") => fetch(path, { headers, method })
      const bytesOf = (response: Response) => Effect.promise(async () => Buffer.from(await response.arrayBuffer()))
      assert.isTrue((yield* bytesOf(yield* get({}))).equals(bytes))
      const middle = yield* get({ range: "bytes=1048570-1048590" })
      assert.strictEqual(middle.status, 206)
      assert.strictEqual(middle.headers.get("content-range"), `bytes 1048570-1048590/${bytes.length}`)
      assert.isTrue((yield* bytesOf(middle)).equals(bytes.subarray(1_048_570, 1_048_591)))
      assert.isTrue((yield* bytesOf(yield* get({ range: "bytes=-5" }))).equals(bytes.subarray(-5)))
      assert.strictEqual((yield* get({ range: `bytes=${bytes.length}-` })).status, 416)
      assert.strictEqual((yield* get({ "if-none-match": `"${body.data.cid}"` })).status, 304)
      const head = yield* get({}, "HEAD")
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.headers.get("content-length"), String(bytes.length))
    }),
  )

  it.effect("gives the same metadata the same document and CID, readable by wallets", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const json = {
        name: "Tour Token",
        symbol: "TOUR",
        imageUri: "https://example.com/i.png",
        bannerUri: "",
        description: "d",
        website: "https://example.com",
        twitter: "https://x.com/tour",
        telegram: "",
      }
      const first = yield* request("/api/ipfs/upload-metadata", { json })
      assert.strictEqual(first.status, 200, JSON.stringify(first.body))
      const again = yield* request("/api/ipfs/upload-metadata", {
        json: Object.fromEntries(Object.entries(json).toReversed()),
      })
      assert.deepStrictEqual(again.body.data, first.body.data)
      assert.strictEqual(first.body.data.metadataUri, first.body.data.imageUri)
      const document = yield* fetch(`/ipfs/${first.body.data.cid}`)
      assert.deepStrictEqual(yield* Effect.promise(() => document.json()), {
        name: "Tour Token",
        symbol: "TOUR",
        description: "d",
        image: "https://example.com/i.png",
        external_url: "https://example.com",
        website: "https://example.com",
        twitter: "https://x.com/tour",
        extensions: { website: "https://example.com", twitter: "https://x.com/tour" },
        properties: { files: [{ uri: "https://example.com/i.png", type: "image/png" }], category: "image" },
        showName: true,
      })
    }),
  )

  it.effect("serves nothing that was not stored here", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const unknown = yield* request("/ipfs/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e")
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "not_found")
      assert.strictEqual((yield* request("/ipfs/not-a-cid")).status, 400)
      const health = yield* request("/api/ipfs/health")
      assert.strictEqual(health.status, 200)
      assert.isString(health.body.message)
    }),
  )
})
