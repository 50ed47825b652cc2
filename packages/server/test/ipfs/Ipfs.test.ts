import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { TestServer } from "../TestServer.ts"

const image = (format: "png" | "jpeg" | "gif" | "webp", width = 8, height = 8) =>
  Effect.promise(() =>
    sharp({ create: { width, height, channels: 3, background: "#fc0" } })
      .toFormat(format)
      .toBuffer(),
  )

const form = (bytes: Uint8Array, fields: Readonly<Record<string, string>> = {}, name = "image") => {
  const body = new FormData()
  body.append(name, new Blob([Uint8Array.from(bytes)], { type: "image/png" }), "../../etc/passwd")
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  return body
}

const upload = (body: NonNullable<RequestInit["body"]>, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(TestServer, ({ request }) => request("/api/ipfs/upload-image", { raw: body, method: "POST", headers }))

layer(TestServer.layer())("Uploading to IPFS", (it) => {
  it.effect("stores the four image formats and serves them back under their CID", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const format of ["png", "jpeg", "gif", "webp"] as const) {
        const bytes = yield* image(format)
        const { body, status } = yield* upload(form(bytes, { fileName: "../logo.png" }))
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

  it.effect("serves content of several blocks whole, in ranges, and not again to who has it", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      // Noise does not compress, so the file spans more than two chunks of 1 MiB.
      const noise = Buffer.from(Array.from({ length: 1000 * 900 * 3 }, (_, index) => (index * 2_654_435_761) >>> 24))
      const bytes = yield* Effect.promise(() =>
        sharp(noise, { raw: { width: 1000, height: 900, channels: 3 } })
          .png({ compressionLevel: 0 })
          .toBuffer(),
      )
      const { body } = yield* upload(form(bytes))
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

  it.effect("refuses what is no image that can be shown, with the reason", () =>
    Effect.gen(function* () {
      const png = yield* image("png", 64, 64)
      const text = (content: string) => new TextEncoder().encode(content)
      const cases: ReadonlyArray<readonly [what: string, bytes: Uint8Array, status: number, code: string]> = [
        ["svg", text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 415, "unsupported_image"],
        ["html", text("<!doctype html><script>1</script>"), 415, "unsupported_image"],
        ["empty", new Uint8Array(), 400, "invalid_upload"],
        ["gif that is a script", text("GIF89a/*<svg/onload=alert(1)>*/"), 400, "invalid_image"],
        ["truncated png", png.subarray(0, png.length >> 1), 400, "invalid_image"],
        ["three bytes of jpeg", Uint8Array.of(0xff, 0xd8, 0xff), 400, "invalid_image"],
        ["too wide", yield* image("png", 8200, 2), 400, "invalid_image"],
      ]
      for (const [what, bytes, status, code] of cases) {
        const answer = yield* upload(form(bytes))
        assert.strictEqual(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`)
        assert.strictEqual(answer.body.code, code, what)
      }
    }),
  )

  it.effect("refuses forms that are not one image, and files over the limit", () =>
    Effect.gen(function* () {
      const png = yield* image("png")
      const two = form(png)
      two.append("image", new Blob([Uint8Array.from(png)]), "b.png")
      const none = new FormData()
      none.append("fileName", "a.png")
      const forms: ReadonlyArray<readonly [FormData, string]> = [
        [two, "body.image"],
        [none, "body.image"],
        [form(png, {}, "picture"), "body.picture"],
        [form(png, { other: "x" }), "body.other"],
      ]
      for (const [body, path] of forms) {
        const answer = yield* upload(body)
        assert.strictEqual(answer.status, 400, path)
        assert.strictEqual(answer.body.issues[0].path, path)
      }
      const large = yield* upload(form(Buffer.concat([png, Buffer.alloc(15 * 1024 * 1024)])))
      assert.strictEqual(large.status, 413)
      assert.strictEqual(large.body.code, "image_too_large")
      const asJson = yield* upload("{}", { "content-type": "application/json" })
      assert.strictEqual(asJson.status, 415)
      const broken = yield* upload("--x\r\nbroken", { "content-type": "multipart/form-data; boundary=x" })
      assert.strictEqual(broken.status, 400, JSON.stringify(broken.body))
    }),
  )

  it.effect("serves nothing that was not stored here", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const unknown = yield* request("/ipfs/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e")
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "content_not_found")
      assert.strictEqual((yield* request("/ipfs/not-a-cid")).status, 400)
      const health = yield* request("/api/ipfs/health")
      assert.strictEqual(health.status, 200)
      assert.isString(health.body.message)
    }),
  )
})
