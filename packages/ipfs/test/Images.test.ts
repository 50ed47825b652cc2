import { assert, layer } from "@effect/vitest"
import { IMAGE_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect, Result } from "effect"
import sharp from "sharp"
import { stripMetadata } from "../src/images/StripMetadata.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { imageSamples } from "./images/ImageSamples.ts"
import { pngChunk, SECRET } from "./images/Planted.ts"
import { formOf, storedRows, upload } from "./images/UploadForms.ts"

const samples = await imageSamples()

const pngOf = (background: string) =>
  Effect.promise(() =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  )

/** The PNG padded to this length by a chunk without meaning. */
const padded = (png: Buffer, length: number) => {
  const chunk = pngChunk("paDd", Buffer.alloc(length - png.length - 12))
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

const served = (cid: string) =>
  Effect.flatMap(TestServer, ({ fetch }) =>
    Effect.flatMap(fetch(`/ipfs/${cid}`), (response) =>
      Effect.promise(async () => ({
        type: response.headers.get("content-type"),
        bytes: Buffer.from(await response.arrayBuffer()),
      })),
    ),
  )

layer(TestServer.layer())("An uploaded image", (it) => {
  for (const { bytes, type, what } of samples) {
    it.effect(`is served without its metadata, frame for frame: ${what}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* upload(formOf(bytes))
        assert.strictEqual(status, 200, JSON.stringify(body))
        const clean = Buffer.from(Result.getOrThrow(stripMetadata(type, bytes)).bytes)
        const { bytes: shown, type: shownType } = yield* served(body.data.cid)
        assert.isTrue(shown.equals(clean))
        assert.isFalse(shown.includes(SECRET))
        assert.strictEqual(shownType, type)
        assert.strictEqual(body.data.contentType, type)
        assert.strictEqual(body.data.size, clean.length)
      }),
    )
  }

  it.effect("has the same CID whatever its metadata was", () =>
    Effect.gen(function* () {
      const photo = (comment: string) =>
        Effect.promise(() =>
          sharp({ create: { width: 9, height: 9, channels: 3, background: "#07c" } })
            .withExif({ IFD0: { ImageDescription: comment } })
            .jpeg()
            .toBuffer(),
        )
      const [here, there] = [yield* photo("here"), yield* photo("there")]
      assert.isFalse(here.equals(there))
      const first = yield* upload(formOf(here))
      const second = yield* upload(formOf(there))
      assert.strictEqual(second.body.data.cid, first.body.data.cid)
    }),
  )

  it.effect("may have exactly 15 MiB, and not a byte more", () =>
    Effect.gen(function* () {
      const png = yield* pngOf("#123456")
      const before = yield* storedRows
      const over = yield* upload(formOf(padded(png, IMAGE_BYTES_MAX + 1)))
      assert.strictEqual(over.status, 413)
      assert.strictEqual(over.body.code, "body_too_large")
      assert.deepStrictEqual(over.body.details, { limitBytes: IMAGE_BYTES_MAX })
      assert.deepStrictEqual(yield* storedRows, before)
      const exact = yield* upload(formOf(padded(png, IMAGE_BYTES_MAX)))
      assert.strictEqual(exact.status, 200, JSON.stringify(exact.body))
      assert.isTrue((yield* served(exact.body.data.cid)).bytes.equals(png))
    }),
  )

  it.effect("is accepted without a trailing second page", () =>
    Effect.gen(function* () {
      const page = Buffer.from("<!doctype html><script>alert(1)</script>")
      for (const sample of samples.filter(({ what }) => ["jpeg", "png", "webp", "animated gif"].includes(what))) {
        const alone = yield* upload(formOf(sample.bytes))
        const followed = yield* upload(formOf(Buffer.concat([sample.bytes, page])))
        assert.strictEqual(followed.body.data.cid, alone.body.data.cid)
      }
    }),
  )

  it.effect("has the type of its content, whatever the form declares", () =>
    Effect.gen(function* () {
      const png = yield* pngOf("#654321")
      for (const type of ["text/html", "image/svg+xml", "image/gif", "application/octet-stream", ""]) {
        const { body } = yield* upload(formOf(png, { type, partFileName: "page.html" }))
        assert.strictEqual(body.data.contentType, "image/png", type)
        assert.strictEqual((yield* served(body.data.cid)).type, "image/png")
      }
    }),
  )

  it.effect("has the name from the form, sent before or after the file and cleaned, or none", () =>
    Effect.gen(function* () {
      const names: ReadonlyArray<readonly [sent: string | undefined, kept: string | null]> = [
        ["../../etc/lo\u0000go.png", "logo.png"],
        ["C:\\temp\\\u202egpj.exe", "gpj.exe"],
        ["../..", null],
        ["x".repeat(1024), "x".repeat(128)],
        [undefined, null],
      ]
      for (const [index, [sent, kept]] of names.entries()) {
        const fields = sent === undefined ? {} : { fileName: sent }
        const png = yield* pngOf(`#00${index}0ff`)
        const { body } = yield* upload(formOf(png, index % 2 === 0 ? { before: fields } : { after: fields }))
        assert.strictEqual(body.data?.fileName, kept, JSON.stringify(body))
      }
    }),
  )

  it.effect("appears with its type in the metadata that references it", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { body } = yield* upload(formOf(yield* pngOf("#abcdef")))
      const { cid, imageUri } = body.data
      const json = { name: "Tour", symbol: "TOUR", imageUri, bannerUri: `ipfs://${cid}/banner.jpg` }
      const { body: stored } = yield* request("/api/ipfs/upload-metadata", { json })
      const document = JSON.parse((yield* served(stored.data.cid)).bytes.toString())
      assert.strictEqual(document.image, imageUri)
      assert.strictEqual(document.banner, `${imageUri}/banner.jpg`)
      assert.deepStrictEqual(document.properties.files, [
        { uri: imageUri, type: "image/png" },
        { uri: `${imageUri}/banner.jpg`, type: "image/jpeg" },
      ])
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
})
